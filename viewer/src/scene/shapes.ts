// SPDX-License-Identifier: Apache-2.0
// What shapes look like, each in its own frame.
import {
  BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, SphereGeometry,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { ShapeData } from "../data/format";

// Two shades by the place of a triangle, so that one sees a round thing turn.
function shade(geometry: BufferGeometry, isDark: (x: number, y: number, z: number) => boolean) {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  const points = flat.getAttribute("position");
  const colours = new Float32Array(3 * points.count);
  for (let i = 0; i < points.count; i += 3) {
    let [x, y, z] = [0, 0, 0];
    for (let k = i; k < i + 3; ++k) {
      x += points.getX(k);
      y += points.getY(k);
      z += points.getZ(k);
    }
    colours.fill(isDark(x, y, z) ? 0.8 : 1, 3 * i, 3 * i + 9);
  }
  flat.setAttribute("color", new BufferAttribute(colours, 3));
  return flat;
}

const plain = () => false;
const quarters = (x: number, y: number) => x * y > 0;

function meshGeometry(shape: ShapeData, meshes: Float32Array): BufferGeometry {
  const [vertexAt, vertexCount] = shape.vertices!;
  const [triangleAt, triangleCount] = shape.triangles!;
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    "position", new BufferAttribute(meshes.slice(vertexAt, vertexAt + vertexCount), 3));
  geometry.setIndex(
    new BufferAttribute(Uint32Array.from(meshes.slice(triangleAt, triangleAt + triangleCount)), 1));
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return shade(flat, plain);
}

// `fine` is less for machines of many bodies. Null for what has no end.
export function makeGeometry(
  shape: ShapeData, meshes: Float32Array, fine: number): BufferGeometry | null {
  const n = Math.round(32 * fine);
  switch (shape.type) {
    case "sphere":
      return shade(new SphereGeometry(shape.radius!, n, n / 2), (x, y, z) => x * y * z > 0);
    case "box": {
      const [a, b, c] = shape.half!;
      const round = 0.06 * Math.min(a, b, c);
      return shade(new RoundedBoxGeometry(2 * a, 2 * b, 2 * c, fine < 1 ? 1 : 2, round), plain);
    }
    case "capsule": {
      const capsule = new CapsuleGeometry(shape.radius!, 2 * shape.half_length!, n / 4, n);
      return shade(capsule.rotateX(Math.PI / 2), quarters);
    }
    case "cylinder": {
      const r = shape.radius!;
      return shade(
        new CylinderGeometry(r, r, 2 * shape.half_length!, n).rotateX(Math.PI / 2), quarters);
    }
    case "cavity": {
      // The lower half, so that one sees what is in it.
      const half = Math.PI / 2;
      const bowl = new SphereGeometry(shape.radius!, 2 * n, n / 2, 0, 4 * half, half, half);
      return shade(bowl.rotateX(half), quarters);
    }
    case "mesh":
      return meshGeometry(shape, meshes);
    default:
      return null;
  }
}

// The same text for shapes that look the same.
export function lookOf(shape: ShapeData): string {
  const { name: _name, pose: _pose, ...look } = shape;
  return JSON.stringify(look);
}
