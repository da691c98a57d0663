// SPDX-License-Identifier: Apache-2.0
// How large a machine is, and where it goes: for the camera, the light and the sizes of symbols.
import { Box3, Vector3 } from "three";
import type { BodyData } from "../data/format";
import type { Recording } from "../data/recording";

export function bodyRadius(body: BodyData): number {
  let radius = body.length ? body.length / 2 : 0;
  for (const shape of body.shapes) {
    const [x, y, z] = shape.pose;
    const offset = Math.hypot(x, y, z);
    if (shape.type === "box") radius = Math.max(radius, offset + Math.hypot(...shape.half!));
    else if (shape.radius) radius = Math.max(radius, offset + shape.radius + (shape.half_length ?? 0));
  }
  return radius;
}

// A box around the bodies for nearly all of the time: what flies off does not make the rest small.
export function runBox(run: Recording): Box3 {
  const box = new Box3();
  const columns: [number[], number[], number[]] = [[], [], []];
  const every = Math.max(1, Math.floor(run.frames / 60));
  const bodyStep = Math.max(1, Math.floor(run.bodies / 500));
  for (let k = 0; k < run.frames; k += every) {
    const row = run.poses.row(k);
    for (let i = 0; i < run.bodies; i += bodyStep) {
      const radius = Math.min(bodyRadius(run.machine.bodies[i + 1]), 1e3);
      for (let c = 0; c < 3; ++c) columns[c].push(row[7 * i + c] - radius, row[7 * i + c] + radius);
    }
  }
  if (columns[0].length === 0) return box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  const ends = columns.map((list) => {
    list.sort((a, b) => a - b);
    const cut = Math.floor(0.005 * list.length);
    return [list[cut], list[list.length - 1 - cut]];
  });
  box.min.set(ends[0][0], ends[1][0], ends[2][0]);
  box.max.set(ends[0][1], ends[1][1], ends[2][1]);
  if (box.getSize(new Vector3()).length() < 1e-6) box.expandByScalar(0.5);
  return box;
}

// A typical size of a body [m], for symbols.
export function typicalRadius(run: Recording, box: Box3): number {
  const radii = run.machine.bodies.slice(1).map(bodyRadius).filter((r) => r > 0);
  const size = box.getSize(new Vector3()).length();
  if (radii.length === 0) return size / 25;
  radii.sort((a, b) => a - b);
  return Math.min(radii[radii.length >> 1], size / 6);
}
