// SPDX-License-Identifier: Apache-2.0
// The bodies of one run: all pieces that look the same are drawn at once, so that the number of
// draw calls is that of looks and not of bodies.
import {
  BufferGeometry, Color, DoubleSide, Group, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial,
  PlaneGeometry, Quaternion, Vector3,
} from "three";
import type { BodyData, Pose, ShapeData } from "../data/format";
import type { Recording } from "../data/recording";
import { isDark } from "./colours";
import { areMany, piecesOf, type Piece } from "./shapes";

interface Instances {
  mesh: InstancedMesh;
  bodies: number[]; // of each instance
  local: Matrix4[]; // from the piece to the body
}

export function poseMatrix(pose: ArrayLike<number>, at: number, out: Matrix4): Matrix4 {
  quaternion.set(pose[at + 4], pose[at + 5], pose[at + 6], pose[at + 3]);
  position.set(pose[at], pose[at + 1], pose[at + 2]);
  return out.compose(position, quaternion, one);
}
const quaternion = new Quaternion();
const position = new Vector3();
const one = new Vector3(1, 1, 1);

// Rods and particles have no shape of their own.
function shapesOf(body: BodyData, size: number, reach: number): ShapeData[] {
  if (body.shapes.length > 0) return body.shapes;
  const turned: Pose = [0, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2, 0]; // z to x
  if (body.kind === "rod") {
    const half = body.length! / 2;
    return [{ type: "capsule", radius: Math.max(0.045 * half, 0.0016 * reach), half_length: half, pose: turned }];
  }
  if (body.kind === "particle")
    return [{ type: "sphere", radius: 0.5 * size, pose: [0, 0, 0, 1, 0, 0, 0] }];
  return [];
}

export class Bodies {
  readonly group = new Group();
  readonly matrices: Matrix4[]; // of the bodies, the world first
  readonly poses: Float32Array; // at the time that is shown
  private readonly instances: Instances[] = [];
  private readonly walls: Mesh[] = [];

  constructor(private readonly run: Recording, size: number, reach: number) {
    this.poses = new Float32Array(7 * run.bodies);
    this.matrices = run.machine.bodies.map(() => new Matrix4());
    const shapes = run.machine.bodies.map((body) => shapesOf(body, size, reach));
    const many = areMany(shapes.flat());
    const fine = run.bodies > 300 ? 0.5 : 1;
    const looks = new Map<string, { piece: Piece; bodies: number[]; local: Matrix4[] }>();
    shapes.forEach((list, i) => {
      for (const shape of list) {
        const pose = poseMatrix(shape.pose, 0, new Matrix4());
        if (shape.type === "half_space" || shape.type === "plane") this.addWall(pose, reach);
        for (const piece of piecesOf(shape, run.meshes, fine, many)) {
          const look = looks.get(piece.look) ?? { piece, bodies: [], local: [] };
          look.bodies.push(i);
          look.local.push(pose.clone().multiply(piece.place));
          looks.set(piece.look, look);
        }
      }
    });
    for (const { piece, bodies, local } of looks.values())
      this.addInstances(piece.geometry(), bodies, local);
  }

  private addInstances(geometry: BufferGeometry, bodies: number[], local: Matrix4[]): void {
    const material = new MeshStandardMaterial({
      roughness: 0.62, metalness: 0.04, vertexColors: true, side: DoubleSide,
    });
    const mesh = new InstancedMesh(geometry, material, bodies.length);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    this.instances.push({ mesh, bodies, local });
    this.group.add(mesh);
  }

  // Upright planes are shown as glass; level ones are the ground, which the stage draws.
  private addWall(local: Matrix4, reach: number): void {
    const normal = new Vector3().setFromMatrixColumn(local, 2);
    const gravity = new Vector3(...this.run.machine.gravity);
    if (gravity.length() > 0 && normal.dot(gravity.normalize()) < -0.97) return;
    const material = new MeshStandardMaterial({
      color: isDark() ? "#8fb4d9" : "#5b7f9f", transparent: true, opacity: 0.07, side: DoubleSide,
      depthWrite: false,
    });
    const wall = new Mesh(new PlaneGeometry(reach, reach), material);
    wall.applyMatrix4(local);
    this.walls.push(wall);
    this.group.add(wall);
  }

  // Reads the poses of a time into poses, matrices and instances.
  update(t: number): void {
    this.run.posesAt(t, this.poses);
    for (let i = 0; i < this.run.bodies; ++i) poseMatrix(this.poses, 7 * i, this.matrices[i + 1]);
    for (const { mesh, bodies, local } of this.instances) {
      for (let k = 0; k < bodies.length; ++k) {
        scratch.multiplyMatrices(this.matrices[bodies[k]], local[k]);
        mesh.setMatrixAt(k, scratch);
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  colour(colourOf: (body: number, out: Color) => Color): void {
    for (const { mesh, bodies } of this.instances) {
      bodies.forEach((body, k) => mesh.setColorAt(k, colourOf(body, paint)));
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  setOpacity(opacity: number): void {
    for (const { mesh } of this.instances) {
      const material = mesh.material as MeshStandardMaterial;
      material.transparent = opacity < 1;
      material.opacity = opacity;
      material.needsUpdate = true;
    }
  }

  // Where the body is drawn, in the coordinates of the run: read from what is on the screen.
  drawnPosition(body: number): Vector3 {
    for (const { mesh, bodies, local } of this.instances) {
      const k = bodies.indexOf(body);
      if (k < 0) continue;
      mesh.getMatrixAt(k, scratch);
      scratch.multiply(inverse.copy(local[k]).invert());
      return new Vector3().setFromMatrixPosition(scratch);
    }
    return new Vector3().setFromMatrixPosition(this.matrices[body]);
  }

  get meshes(): { mesh: InstancedMesh; bodies: number[] }[] {
    return this.instances;
  }
}
const scratch = new Matrix4();
const inverse = new Matrix4();
const paint = new Color();
