// SPDX-License-Identifier: Apache-2.0
// What shapes look like, each in its own frame.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, Matrix4,
  SphereGeometry,
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

// What a shape is drawn by. Pieces of one look share a geometry, and all of them are one draw call.
export interface Piece {
  look: string;
  geometry: () => BufferGeometry;
  place: Matrix4; // from the geometry to the shape
}

const stretched = (x: number, y: number, z: number) => new Matrix4().makeScale(x, y, z);
const lifted = (z: number, scale: number) => stretched(scale, scale, scale).setPosition(0, 0, z);

const upright = (geometry: BufferGeometry) => geometry.rotateX(Math.PI / 2);
const octants = (x: number, y: number, z: number) => x * y * z > 0;

// The pieces of size one that fit shapes of all sizes, with n edges around.
const makeBall = (n: number) => shade(new SphereGeometry(1, n, n / 2), octants);
const makeTube = (n: number, open: boolean) =>
  shade(upright(new CylinderGeometry(1, 1, 2, n, 1, open)), quarters);
// The lower half of a cavity, so that one sees what is in it.
const makeBowl = (n: number) =>
  shade(upright(new SphereGeometry(1, n, n / 4, 0, 2 * Math.PI, Math.PI / 2, Math.PI / 2)), quarters);

function capsulePieces(shape: ShapeData, n: number, many: boolean): Piece[] {
  const [r, half] = [shape.radius!, shape.half_length!];
  if (!many)
    return [{ look: lookOf(shape), place: new Matrix4(),
      geometry: () => shade(upright(new CapsuleGeometry(r, 2 * half, n / 4, n)), quarters) }];
  const ball = { look: "ball", geometry: () => makeBall(n) };
  return [{ look: "tube", geometry: () => makeTube(n, true), place: stretched(r, r, half) },
    { ...ball, place: lifted(half, r) }, { ...ball, place: lifted(-half, r) }];
}

function boxPieces(shape: ShapeData, fine: number, many: boolean): Piece[] {
  const [a, b, c] = shape.half!;
  if (many)
    return [{ look: "box", geometry: () => shade(new BoxGeometry(2, 2, 2), plain), place: stretched(a, b, c) }];
  const round = 0.06 * Math.min(a, b, c);
  return [{ look: lookOf(shape), place: new Matrix4(),
    geometry: () => shade(new RoundedBoxGeometry(2 * a, 2 * b, 2 * c, fine < 1 ? 1 : 2, round), plain) }];
}

// `fine` is less for machines of many bodies. Balls and cylinders of all sizes are one look each.
// Round edges and ends cannot be stretched: boxes and capsules look each their own way, unless
// there are `many` ways. Nothing for what has no end.
export function piecesOf(shape: ShapeData, meshes: Float32Array, fine: number, many: boolean): Piece[] {
  const n = Math.round(32 * fine);
  switch (shape.type) {
    case "sphere":
      return [{ look: "ball", geometry: () => makeBall(n), place: lifted(0, shape.radius!) }];
    case "cylinder":
      return [{ look: "cylinder", geometry: () => makeTube(n, false),
        place: stretched(shape.radius!, shape.radius!, shape.half_length!) }];
    case "capsule":
      return capsulePieces(shape, n, many);
    case "box":
      return boxPieces(shape, fine, many);
    case "cavity":
      return [{ look: "bowl", geometry: () => makeBowl(2 * n), place: lifted(0, shape.radius!) }];
    case "mesh":
      return [{ look: lookOf(shape), geometry: () => meshGeometry(shape, meshes), place: new Matrix4() }];
    default:
      return [];
  }
}

const mostLooks = 24; // of boxes and capsules of their own

export function areMany(shapes: ShapeData[]): boolean {
  const own = shapes.filter((shape) => shape.type === "box" || shape.type === "capsule");
  return new Set(own.map(lookOf)).size > mostLooks;
}

// The same text for shapes that look the same.
function lookOf(shape: ShapeData): string {
  const { name: _name, pose: _pose, ...look } = shape;
  return JSON.stringify(look);
}
