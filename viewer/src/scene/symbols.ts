// SPDX-License-Identifier: Apache-2.0
// Symbols of joints, of size one, with the axis of the joint along z; and of what reaches from one
// point to another, of length one along z.
import {
  BoxGeometry, BufferGeometry, Curve, CylinderGeometry, OctahedronGeometry, SphereGeometry,
  TorusGeometry, TubeGeometry, Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

const upright = (geometry: BufferGeometry) => geometry.rotateX(Math.PI / 2);
const rod = (radius: number, length: number) =>
  upright(new CylinderGeometry(radius, radius, length, 12));
const ball = (radius: number) => new SphereGeometry(radius, 16, 10);
const ring = (radius: number, thick: number) => new TorusGeometry(radius, thick, 8, 28);
const plate = (size: number) => new BoxGeometry(size, size, 0.06);
const tip = (z: number, way: number) => {
  const cone = upright(new CylinderGeometry(0, 0.16, 0.32, 12));
  return (way > 0 ? cone : cone.rotateX(Math.PI)).translate(0, 0, z);
};

function merge(...parts: BufferGeometry[]): BufferGeometry {
  // Some have no index: all lose it.
  return mergeGeometries(parts.map((part) => (part.index ? part.toNonIndexed() : part)))!;
}

class Helix extends Curve<Vector3> {
  constructor(private readonly turns: number) {
    super();
  }
  // Straight for a little at both ends.
  override getPoint(s: number, out = new Vector3()): Vector3 {
    const straight = 0.06;
    const inner = Math.min(1, Math.max(0, (s - straight) / (1 - 2 * straight)));
    const radius = Math.min(1, 12 * Math.min(inner, 1 - inner));
    const angle = 2 * Math.PI * this.turns * inner;
    return out.set(radius * Math.cos(angle), radius * Math.sin(angle), s);
  }
}

// A ring and an axis for what turns, arrows for what slides, a plate for what stays in a plane.
export function makeJointSymbol(kind: string): BufferGeometry {
  switch (kind) {
    case "ball":
    case "point_on_line":
      return kind === "ball" ? merge(ball(0.5)) : merge(ball(0.4), rod(0.05, 3));
    case "hinge":
      return merge(upright(new CylinderGeometry(0.42, 0.42, 0.9, 20)), rod(0.1, 2.2));
    case "prismatic":
      return merge(new BoxGeometry(0.6, 0.6, 1.1), rod(0.08, 2.4), tip(1.3, 1), tip(-1.3, -1));
    case "cylindrical":
    case "screw":
      return merge(upright(new CylinderGeometry(0.4, 0.4, 1.2, 20)), rod(0.08, 2.4), tip(1.3, 1),
        tip(-1.3, -1), ...(kind === "screw" ? [-0.4, 0, 0.4].map((z) => ring(0.45, 0.07).translate(0, 0, z)) : []));
    case "universal":
    case "constant_velocity":
    case "perpendicular_axes":
      return merge(rod(0.12, 2), rod(0.12, 2).rotateX(Math.PI / 2), ball(0.28));
    case "planar":
    case "point_on_plane":
      return merge(plate(2), rod(0.07, 1.2), ball(0.25));
    case "rolling_disc":
      return merge(ring(0.6, 0.08), rod(0.07, 1.4));
    case "parallel_axes":
      return merge(rod(0.09, 2), ring(0.35, 0.06));
    case "bushing":
      return merge(ring(0.55, 0.18), rod(0.12, 1.4), new OctahedronGeometry(0.25));
    default:
      return merge(new BoxGeometry(0.7, 0.7, 0.7)); // fixed
  }
}

// Radii are of size one too; null for joints that are no link between two points.
export function makeLinkSymbol(kind: string): BufferGeometry | null {
  switch (kind) {
    case "spring":
      return new TubeGeometry(new Helix(9), 220, 0.16, 7).toNonIndexed();
    case "rope":
    case "distance":
      return rod(kind === "rope" ? 0.12 : 0.2, 1).translate(0, 0, 0.5).toNonIndexed();
    case "actuator":
      return merge(upright(new CylinderGeometry(0.55, 0.55, 0.55, 16)).translate(0, 0, 0.275),
        rod(0.25, 1).translate(0, 0, 0.5));
    default:
      return null;
  }
}

// An arrow of length one along z: a thin shaft and a head of fixed share.
export function makeArrow(): BufferGeometry {
  return merge(
    upright(new CylinderGeometry(0.5, 0.5, 0.75, 10)).translate(0, 0, 0.375),
    upright(new CylinderGeometry(0, 1.4, 0.25, 14)).translate(0, 0, 0.875));
}
