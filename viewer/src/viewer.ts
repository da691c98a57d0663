// SPDX-License-Identifier: Apache-2.0
// What is shown and when: time, runs, settings. Those who show something listen.
import { Box3, Vector3 } from "three";
import type { Recording } from "./data/recording";
import { runColours } from "./scene/colours";
import { runBox, typicalRadius } from "./scene/extent";
import { RunView, type Look } from "./scene/run_view";
import type { Stage } from "./scene/stage";

export type Layout = "overlay" | "side";

export class Viewer {
  readonly views: RunView[] = [];
  readonly look: Look;
  time: number;
  playing = false;
  speed = 1;
  loop = true;
  live = false; // time is that of a simulation that goes on
  layout: Layout = "overlay";
  follow = 0; // body that the camera follows, 0: none
  size: number;
  private readonly listeners: (() => void)[] = [];
  private readonly followed = new Vector3();
  private readonly box = new Box3();
  forceScale = 1; // of arrows, by hand

  constructor(readonly stage: Stage, readonly runs: Recording[]) {
    for (const run of runs) this.box.union(runBox(run));
    this.size = typicalRadius(runs[0], this.box);
    runs.forEach((run, i) => {
      const view = new RunView(run, this.box, this.size, runColours[i % runColours.length]);
      this.views.push(view);
      stage.world.add(view.group);
    });
    this.look = {
      colouring: runs.length > 1 ? "run" : "body",
      joints: true, contacts: true, reactions: false, trails: false, symbolScale: 1,
      metresPerNewton: 0, limits: this.findLimits(),
    };
    this.time = runs[0].start;
    this.chooseForceScale();
    stage.resize();
    this.place();
    stage.frame();
  }

  get start(): number {
    return this.runs[0].start;
  }
  get end(): number {
    return Math.max(...this.runs.map((run) => run.end));
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  // Everybody looks again.
  changed(): void {
    for (const view of this.views) view.update(this.time, this.look);
    this.keepFollowing();
    this.stage.touch();
    for (const listener of this.listeners) listener();
  }

  seek(t: number): void {
    this.time = Math.min(this.end, Math.max(this.start, t));
    this.changed();
  }

  // To the frame that is `count` later.
  stepFrames(count: number): void {
    this.playing = false;
    const run = this.runs[0];
    const k = Math.min(run.frames - 1, Math.max(0, run.nearestFrame(this.time) + count));
    this.seek(run.times[k]);
  }

  advance(seconds: number): void {
    if (!this.playing || this.live) return;
    let t = this.time + seconds * this.speed;
    if (t > this.end) {
      if (!this.loop) this.playing = false;
      t = this.loop ? this.start : this.end;
    }
    this.seek(t);
  }

  play(on: boolean): void {
    if (on && this.time >= this.end) this.time = this.start;
    this.playing = on;
    this.changed();
  }

  // Runs on top of each other, or beside each other across the shorter side of the machine.
  place(): void {
    const size = this.box.getSize(new Vector3());
    const axis = size.x <= size.y || this.runs.length === 1 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const pitch = 1.25 * Math.max(size.dot(axis), 0.3 * size.length());
    const whole = this.box.clone();
    this.views.forEach((view, i) => {
      view.group.position.copy(axis).multiplyScalar(this.layout === "side" ? i * pitch : 0);
      whole.union(this.box.clone().translate(view.group.position));
      const transparent = this.layout === "overlay" && this.runs.length > 1 && i > 0;
      view.bodies.setOpacity(transparent ? 0.72 : 1);
    });
    this.stage.enclose(whole, this.findFloor());
  }

  // The height of the ground: that of a level plane, or just below the machine.
  private findFloor(): number {
    const up = this.stage.camera.up;
    for (const body of this.runs[0].machine.bodies)
      for (const shape of body.shapes) {
        if (body.kind !== "fixed" || (shape.type !== "half_space" && shape.type !== "plane")) continue;
        const [x, y, z, w, qx, qy, qz] = shape.pose;
        const normal = new Vector3(0, 0, 1)
          .applyQuaternion(this.stage.world.quaternion.clone().set(qx, qy, qz, w));
        if (normal.dot(up) > 0.97) return new Vector3(x, y, z).dot(up);
      }
    const size = this.box.getSize(new Vector3());
    const lowest = [this.box.min, this.box.max].map((corner) => corner.dot(up));
    return Math.min(...lowest) - 0.04 * size.length();
  }

  private findLimits(): Look["limits"] {
    let [speed, error] = [0, 0];
    const forces: number[] = [];
    const excesses: number[] = [];
    for (const run of this.runs) {
      const every = Math.max(1, Math.floor(run.frames / 100));
      for (let k = every; k < run.frames; k += every) {
        for (let i = 1; i <= run.bodies; i += Math.ceil(run.bodies / 200))
          speed = Math.max(speed, run.speed(i, k));
        const row = run.joints.row(k);
        for (const at of run.jointAt) {
          forces.push(Math.hypot(row[at], row[at + 1], row[at + 2]));
          error = Math.max(error, row[at + 4]);
          if (row[at + 5] > 0) excesses.push(row[at + 5]);
        }
        for (const contact of run.contactsAt(k)) if (contact.excess > 0) excesses.push(contact.excess);
      }
      forces.push(run.typicalContactForce());
    }
    // A whip or an impact does not make all the rest dark.
    const upper = (sizes: number[]) => sizes.sort((a, b) => a - b)[Math.floor(0.97 * (sizes.length - 1))];
    const top = error || 1e-6;
    const softest = upper(excesses) || 1e-6;
    return { speed: [0, speed || 1], force: [0, upper(forces) || 1], error: [top * 1e-4, top],
      excess: [softest * 1e-4, softest] };
  }

  // An arrow of a typical force is as long as a few bodies.
  chooseForceScale(): void {
    const typical = Math.max(...this.runs.map((run) => run.typicalContactForce()));
    const strongest = typical > 0 ? typical : this.look.limits.force[1];
    const reach = Math.min(3 * this.size, 0.25 * this.box.getSize(new Vector3()).length());
    this.look.metresPerNewton = strongest > 0 ? (this.forceScale * reach) / strongest : 0;
  }

  // Limits and sizes again, for a run that grows.
  refreshLimits(): void {
    const fresh = this.findLimits();
    for (const key of ["speed", "force", "error", "excess"] as const)
      if (fresh[key][1] > this.look.limits[key][1]) this.look.limits[key] = fresh[key];
    if (this.look.metresPerNewton === 0 || this.live) this.chooseForceScale();
  }

  followBody(body: number): void {
    this.follow = body;
    for (const view of this.views) view.selected = body;
    this.followed.copy(this.whereFollowed());
    this.changed();
  }

  private whereFollowed(): Vector3 {
    return this.follow > 0 ? this.views[0].bodies.drawnPosition(this.follow) : new Vector3();
  }

  private keepFollowing(): void {
    if (this.follow === 0) return;
    const now = this.whereFollowed();
    this.stage.shift(now.clone().sub(this.followed));
    this.followed.copy(now);
  }
}
