// SPDX-License-Identifier: Apache-2.0
// Shift and drag: a hand that pulls a body by a damped spring, drawn as one.
import { Mesh, MeshBasicMaterial, Plane, Quaternion, Raycaster, SphereGeometry, Vector2, Vector3 } from "three";
import type { Triple } from "../data/format";
import { makeLinkSymbol } from "../scene/symbols";
import { find, format, make } from "../ui/dom";
import { pick } from "../ui/tooltip";
import type { Viewer } from "../viewer";
import { sendOrder } from "./live";
import type { Hand } from "./orders";

export class Drag {
  private readonly spring = new Mesh(makeLinkSymbol("spring")!, new MeshBasicMaterial({ color: "#cc79a7" }));
  private readonly knob: Mesh;
  private readonly label = make("div", { id: "hand", hidden: true });
  private readonly plane = new Plane();
  private body = "";
  private busy = false;
  private next: Triple | null = null;

  constructor(private readonly viewer: Viewer) {
    this.knob = new Mesh(new SphereGeometry(0.15 * viewer.size, 16, 10), new MeshBasicMaterial({ color: "#cc79a7" }));
    this.spring.visible = this.knob.visible = false;
    viewer.stage.scene.add(this.spring, this.knob);
    find("stage").append(this.label);
    const { canvas, controls } = viewer.stage;
    canvas.addEventListener("pointerdown", (event) => this.begin(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    const end = () => {
      controls.enabled = true;
      if (this.body === "") return;
      this.body = "";
      this.next = null;
      sendOrder({ do: "release" }).catch(() => {});
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
  }

  private begin(event: PointerEvent): void {
    if (!event.shiftKey || event.button !== 0) return;
    const hit = pick(this.viewer, event.clientX, event.clientY);
    if (!hit || hit.body === 0) return;
    this.viewer.stage.controls.enabled = false;
    this.viewer.stage.canvas.setPointerCapture(event.pointerId);
    this.body = this.viewer.runs[0].machine.bodies[hit.body].name;
    const toBody = hit.view.bodies.matrices[hit.body].clone().invert();
    const point = hit.point.clone().applyMatrix4(toBody);
    const way = this.viewer.stage.camera.getWorldDirection(new Vector3());
    this.plane.setFromNormalAndCoplanarPoint(way, hit.point);
    const target = hit.point.toArray() as Triple;
    sendOrder({ do: "drag", body: this.body, point: point.toArray() as Triple, target }).catch(() => {
      this.body = "";
    });
  }

  // In the plane through the point where the body was taken, across the view.
  private move(event: PointerEvent): void {
    if (this.body === "") return;
    const rect = this.viewer.stage.canvas.getBoundingClientRect();
    const place = new Vector2(((event.clientX - rect.left) / rect.width) * 2 - 1,
      1 - ((event.clientY - rect.top) / rect.height) * 2);
    const caster = new Raycaster();
    caster.setFromCamera(place, this.viewer.stage.camera);
    const target = caster.ray.intersectPlane(this.plane, new Vector3());
    if (!target) return;
    this.next = target.toArray() as Triple;
    this.send();
  }

  // One order at a time, the newest.
  private send(): void {
    if (this.busy || !this.next || this.body === "") return;
    this.busy = true;
    const target = this.next;
    this.next = null;
    sendOrder({ do: "drag", body: this.body, target }).catch(() => {}).finally(() => {
      this.busy = false;
      this.send();
    });
  }

  show(hand: Hand | null): void {
    this.spring.visible = this.knob.visible = hand !== null;
    this.label.hidden = hand === null;
    if (hand) {
      const from = new Vector3(...hand.grip);
      const to = new Vector3(...hand.target);
      const way = to.clone().sub(from);
      const length = Math.max(1e-6, way.length());
      const thick = 0.12 * this.viewer.size;
      this.spring.position.copy(from);
      this.spring.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), way.normalize()));
      this.spring.scale.set(thick, thick, length);
      this.knob.position.copy(to);
      this.label.textContent = `spring ${format(hand.stiffness, 3)} N/m, damper ${format(hand.damping, 3)} N s/m: ` +
        `pulls with ${format(Math.hypot(...hand.force), 3)} N`;
    }
    this.viewer.stage.touch();
  }
}
