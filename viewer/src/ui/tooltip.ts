// SPDX-License-Identifier: Apache-2.0
// What is under the pointer: name, position, velocity, forces. A click chooses the body to follow.
import { Raycaster, Vector2, Vector3 } from "three";
import type { RunView } from "../scene/run_view";
import type { Viewer } from "../viewer";
import { find, format, make } from "./dom";

export interface Hit {
  view: RunView;
  body: number; // 0 if it is a joint
  joint: number; // −1 if it is a body
  point: Vector3; // in the coordinates of the run
}

const caster = new Raycaster();

export function pick(viewer: Viewer, x: number, y: number): Hit | null {
  const rect = viewer.stage.canvas.getBoundingClientRect();
  const place = new Vector2(((x - rect.left) / rect.width) * 2 - 1, 1 - ((y - rect.top) / rect.height) * 2);
  caster.setFromCamera(place, viewer.stage.camera);
  let best: { distance: number; hit: Hit } | null = null;
  for (const view of viewer.views) {
    if (view.hidden) continue;
    const note = (list: { mesh: import("three").InstancedMesh }[], make: (n: number, k: number) => [number, number]) =>
      list.forEach(({ mesh }, n) => {
        for (const found of caster.intersectObject(mesh, false).slice(0, 1)) {
          if (best && found.distance >= best.distance) continue;
          const [body, joint] = make(n, found.instanceId ?? 0);
          const point = found.point.clone().sub(view.group.position);
          best = { distance: found.distance, hit: { view, body, joint, point } };
        }
      });
    note(view.bodies.meshes, (n, k) => [view.bodies.meshes[n].bodies[k], -1]);
    if (viewer.look.joints) note(view.joints.meshes, (n, k) => [0, view.joints.meshes[n].joints[k]]);
  }
  return best ? (best as { hit: Hit }).hit : null;
}

const vector = (v: ArrayLike<number>) => [0, 1, 2].map((c) => format(v[c], 3)).join(", ");

export function describe(viewer: Viewer, hit: Hit): [string, string][] {
  const { run } = hit.view;
  const k = run.nearestFrame(viewer.time);
  if (hit.joint >= 0) {
    const joint = run.machine.joints[hit.joint];
    const row = run.joints.row(k);
    const at = run.jointAt[hit.joint];
    return [
      [joint.kind.replaceAll("_", " "), joint.name],
      ["force", `${format(Math.hypot(row[at], row[at + 1], row[at + 2]))} N`],
      ["torque", `${format(row[at + 3])} N m`],
      ["error", `${format(row[at + 4])} m, rad`],
      [row[at + 5] < 0 ? "pushes the wrong way" : "compliance added by the solver",
        `${format(Math.abs(row[at + 5]))} m/N, rad/(N m)`],
      ...joint.coordinates.map((c, n): [string, string] =>
        [c.name, `${format(row[at + run.header.joint_numbers + n])} ${c.unit}`]),
    ];
  }
  const body = run.machine.bodies[hit.body];
  if (hit.body === 0) return [["world", hit.view.run.machine.name]];
  const pressed = [0, 0, 0];
  let touching = 0;
  for (const contact of run.contactsAt(k)) {
    const sign = contact.bodies[1] === hit.body ? 1 : contact.bodies[0] === hit.body ? -1 : 0;
    if (sign === 0) continue;
    ++touching;
    contact.force.forEach((f, c) => (pressed[c] += sign * f));
  }
  const velocity = run.velocity(hit.body, k);
  const position = run.poses.row(k).subarray(7 * (hit.body - 1), 7 * (hit.body - 1) + 3);
  const lines: [string, string][] = [
    [body.kind === "rigid" ? "body" : body.kind, body.name],
    ["position", `${vector(position)} m`],
    ["velocity", `${vector(velocity)} m/s`],
    ["speed", `${format(run.speed(hit.body, k))} m/s`],
  ];
  if (body.mass > 0) lines.push(["mass", `${format(body.mass)} kg`]);
  if (touching > 0) lines.push([`contacts (${touching})`, `${vector(pressed)} N`]);
  if (body.equivalent) lines.push(["shown as", "box of equal inertia"]);
  return lines;
}

export class Tooltip {
  private readonly box = find("tooltip");
  private hit: Hit | null = null;
  private down: [number, number] | null = null;
  private busy = false;

  constructor(private readonly viewer: Viewer) {
    const canvas = viewer.stage.canvas;
    canvas.addEventListener("pointermove", (event) => {
      if (this.busy || event.buttons !== 0) return;
      this.busy = true;
      requestAnimationFrame(() => {
        this.busy = false;
        this.hit = pick(viewer, event.clientX, event.clientY);
        const rect = canvas.getBoundingClientRect();
        const left = event.clientX - rect.left;
        this.box.style.left = `${Math.min(left + 14, rect.width - 250)}px`;
        this.box.style.top = `${event.clientY - rect.top + 14}px`;
        this.show();
      });
    });
    canvas.addEventListener("pointerleave", () => {
      this.hit = null;
      this.show();
    });
    canvas.addEventListener("pointerdown", (event) => (this.down = [event.clientX, event.clientY]));
    canvas.addEventListener("pointerup", (event) => {
      if (!this.down || Math.hypot(event.clientX - this.down[0], event.clientY - this.down[1]) > 4) return;
      const hit = pick(viewer, event.clientX, event.clientY);
      if (event.pointerType === "touch") {
        this.hit = hit;
        this.show();
      }
    });
    canvas.addEventListener("dblclick", (event) => {
      const hit = pick(viewer, event.clientX, event.clientY);
      viewer.followBody(hit && hit.body > 0 ? hit.body : 0);
    });
    viewer.onChange(() => this.show());
  }

  private show(): void {
    this.box.hidden = this.hit === null;
    if (!this.hit) return;
    this.box.replaceChildren(make("table", {}, ...describe(this.viewer, this.hit).map(([key, value]) =>
      make("tr", {}, make("th", {}, key), make("td", {}, value)))));
  }
}
