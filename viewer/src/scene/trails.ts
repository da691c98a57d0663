// SPDX-License-Identifier: Apache-2.0
// The way that bodies went lately, as lines.
import { BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial } from "three";
import type { Recording } from "../data/recording";

const most = 500; // points of a trail

export class Trails {
  readonly group = new Group();
  private readonly lines = new Map<number, Line<BufferGeometry, LineBasicMaterial>>();

  constructor(private readonly run: Recording) {}

  show(bodies: number[], colourOf: (body: number) => Color): void {
    for (const [body, line] of this.lines)
      if (!bodies.includes(body)) {
        this.group.remove(line);
        line.geometry.dispose();
        this.lines.delete(body);
      }
    for (const body of bodies) {
      let line = this.lines.get(body);
      if (!line) {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * most), 3));
        line = new Line(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.85 }));
        line.frustumCulled = false;
        this.lines.set(body, line);
        this.group.add(line);
      }
      line.material.color.copy(colourOf(body));
    }
  }

  // The last `seconds` before t.
  update(t: number, seconds: number, poses: Float32Array): void {
    if (this.lines.size === 0) return;
    const last = this.run.frameAt(t);
    const first = this.run.frameAt(t - seconds);
    const every = Math.max(1, Math.ceil((last - first + 1) / (most - 1)));
    for (const [body, line] of this.lines) {
      const points = line.geometry.getAttribute("position") as BufferAttribute;
      let count = 0;
      const put = (row: Float32Array) => {
        const at = 7 * (body - 1);
        points.setXYZ(count++, row[at], row[at + 1], row[at + 2]);
      };
      for (let k = first; k <= last && count < most - 1; k += every) put(this.run.poses.row(k));
      put(poses);
      points.needsUpdate = true;
      line.geometry.setDrawRange(0, count);
    }
  }
}
