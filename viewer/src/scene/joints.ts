// SPDX-License-Identifier: Apache-2.0
// The joints of one run as symbols at their points, turned along their axes.
import { Color, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import type { JointData } from "../data/format";
import type { Recording } from "../data/recording";
import { poseMatrix } from "./bodies";
import { makeJointSymbol, makeLinkSymbol } from "./symbols";

interface Kind {
  mesh: InstancedMesh;
  joints: number[];
  link: boolean;
}

export class Joints {
  readonly group = new Group();
  private readonly kinds: Kind[] = [];
  private readonly frames: { a: Matrix4; b: Matrix4 }[];
  scale = 1;

  constructor(private readonly run: Recording, private readonly size: number) {
    const joints = run.machine.joints;
    this.frames = joints.map((joint) => ({
      a: poseMatrix(joint.frame_a, 0, new Matrix4()),
      b: poseMatrix(joint.frame_b, 0, new Matrix4()),
    }));
    const byKind = new Map<string, number[]>();
    joints.forEach((joint: JointData, i) =>
      byKind.set(joint.kind, [...(byKind.get(joint.kind) ?? []), i]));
    for (const [kind, members] of byKind) {
      const link = makeLinkSymbol(kind);
      const material = new MeshStandardMaterial({ roughness: 0.45, metalness: 0.25 });
      const mesh = new InstancedMesh(link ?? makeJointSymbol(kind), material, members.length);
      mesh.castShadow = true;
      mesh.frustumCulled = false;
      this.kinds.push({ mesh, joints: members, link: link !== null });
      this.group.add(mesh);
    }
  }

  // The two points of a joint in the world, from the poses that are shown.
  points(joint: number, bodies: Matrix4[], a: Vector3, b: Vector3): void {
    const { a: bodyA, b: bodyB } = this.run.machine.joints[joint];
    a.setFromMatrixPosition(this.frames[joint].a).applyMatrix4(bodies[bodyA]);
    b.setFromMatrixPosition(this.frames[joint].b).applyMatrix4(bodies[bodyB]);
  }

  update(bodies: Matrix4[]): void {
    const radius = 0.34 * this.size * this.scale;
    for (const { mesh, joints, link } of this.kinds) {
      joints.forEach((joint, k) => {
        if (link) {
          this.points(joint, bodies, from, to);
          way.subVectors(to, from);
          const length = way.length();
          turn.setFromUnitVectors(up, length > 0 ? way.divideScalar(length) : up);
          const thick = this.run.machine.joints[joint].kind === "spring" ? 0.7 * radius : 0.35 * radius;
          matrix.compose(from, turn, sizes.set(thick, thick, Math.max(length, 1e-9)));
        } else {
          const side = this.run.machine.joints[joint].b;
          matrix.multiplyMatrices(bodies[side], this.frames[joint].b);
          matrix.scale(sizes.setScalar(radius));
        }
        mesh.setMatrixAt(k, matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  colour(colourOf: (joint: number, out: Color) => Color): void {
    for (const { mesh, joints } of this.kinds) {
      joints.forEach((joint, k) => mesh.setColorAt(k, colourOf(joint, paint)));
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  get meshes(): { mesh: InstancedMesh; joints: number[] }[] {
    return this.kinds;
  }
}
const up = new Vector3(0, 0, 1);
const from = new Vector3();
const to = new Vector3();
const way = new Vector3();
const sizes = new Vector3();
const turn = new Quaternion();
const matrix = new Matrix4();
const paint = new Color();
