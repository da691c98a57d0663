// SPDX-License-Identifier: Apache-2.0
// One run in the scene: bodies, joints, contacts, trails, and how they are coloured.
import { Box3, Color, Group, Vector3 } from "three";
import type { Recording } from "../data/recording";
import { Arrows, Contacts } from "./contacts";
import { Bodies } from "./bodies";
import { bodyColour, isDark, viridis, wrongWayColour } from "./colours";
import { Joints } from "./joints";
import { Trails } from "./trails";

// By a size of each body or joint.
export type Measure = "speed" | "force" | "error" | "excess";
export type Colouring = "body" | "run" | Measure;

export interface Look {
  colouring: Colouring;
  joints: boolean;
  contacts: boolean;
  reactions: boolean;
  trails: boolean;
  symbolScale: number;
  metresPerNewton: number;
  limits: Record<Measure, [number, number]>; // of the colours
}

export class RunView {
  readonly group = new Group();
  readonly bodies: Bodies;
  readonly joints: Joints;
  private readonly contacts: Contacts;
  private readonly reactions: Arrows;
  private readonly trails: Trails;
  private readonly measures: Float64Array; // of bodies, for colours
  private painted = ""; // what the colours were chosen by
  selected = 0; // body
  hidden = false;

  constructor(readonly run: Recording, readonly box: Box3, readonly size: number,
    readonly colour: string) {
    const reach = 1.15 * box.getSize(new Vector3()).length();
    this.bodies = new Bodies(run, size, reach);
    this.joints = new Joints(run, size);
    this.contacts = new Contacts(size);
    this.reactions = new Arrows(Math.max(1, run.machine.joints.length), "#cc79a7", 0.07 * size);
    this.trails = new Trails(run);
    this.measures = new Float64Array(run.bodies + 1);
    this.group.add(this.bodies.group, this.joints.group, this.contacts.group, this.reactions.mesh,
      this.trails.group);
  }

  update(t: number, look: Look): void {
    this.group.visible = !this.hidden;
    if (this.hidden || this.run.frames === 0) return;
    const k = this.run.nearestFrame(t);
    this.bodies.update(t);
    this.joints.group.visible = look.joints;
    if (look.joints) {
      this.joints.scale = look.symbolScale;
      this.joints.update(this.bodies.matrices);
    }
    this.contacts.group.visible = look.contacts;
    if (look.contacts) this.contacts.update(this.run.contactNumbersAt(k), look.metresPerNewton);
    this.updateReactions(k, look);
    this.paint(k, look);
    this.updateTrails(t, look);
  }

  private updateReactions(k: number, look: Look): void {
    this.reactions.mesh.visible = look.reactions;
    if (!look.reactions) return;
    this.reactions.begin();
    const row = this.run.joints.row(k);
    this.run.jointAt.forEach((at, joint) => {
      this.joints.points(joint, this.bodies.matrices, a, b);
      this.reactions.add(b, force.set(row[at], row[at + 1], row[at + 2]), look.metresPerNewton);
    });
    this.reactions.end();
  }

  // What the colour of each body stands for at frame k.
  private measure(k: number, by: Measure): void {
    this.measures.fill(0);
    const raise = (body: number, value: number) => {
      if (value > this.measures[body]) this.measures[body] = value;
    };
    if (by === "speed")
      for (let i = 1; i <= this.run.bodies; ++i) raise(i, this.run.speed(i, k));
    else
      this.run.machine.joints.forEach((joint, i) => {
        const value = this.jointMeasure(k, i, by);
        raise(joint.a, value);
        raise(joint.b, value);
      });
    if (by === "force" || by === "excess")
      for (const contact of this.run.contactsAt(k))
        for (const body of contact.bodies)
          raise(body, by === "force" ? Math.hypot(...contact.force) : contact.excess);
  }

  jointMeasure(k: number, joint: number, by: "force" | "error" | "excess"): number {
    const row = this.run.joints.row(k);
    const at = this.run.jointAt[joint];
    if (by === "excess") return row[at + 5];
    return by === "error" ? row[at + 4] : Math.hypot(row[at], row[at + 1], row[at + 2]);
  }

  private paint(k: number, look: Look): void {
    const by = look.colouring;
    const measured = by !== "body" && by !== "run";
    const share = (value: number, [low, high]: [number, number]) =>
      by === "error" || by === "excess"
        ? (Math.log10(Math.max(value, low)) - Math.log10(low)) / Math.log10(high / low)
        : (value - low) / (high - low);
    const paintSize = (value: number, limits: [number, number], out: Color) =>
      value < 0 ? out.set(wrongWayColour) : viridis(share(value, limits), out);
    this.contacts.colour(this.run.contactNumbersAt(k), by === "excess"
      ? (excess, out) => paintSize(excess, look.limits.excess, out) : null);
    const chosen = measured ? "" : `${by} ${this.selected} ${look.joints} ${isDark()}`;
    if (chosen !== "" && chosen === this.painted) return;
    this.painted = chosen;
    if (measured) this.measure(k, by);
    const fixed = (i: number) => this.run.machine.bodies[i].kind === "fixed";
    this.bodies.colour((i, out) => {
      if (measured && !fixed(i)) viridis(share(this.measures[i], look.limits[by]), out);
      else if (by === "run" && !fixed(i)) out.set(this.colour);
      else bodyColour(i, fixed(i), out);
      return i === this.selected && i > 0 ? out.lerp(white, 0.35) : out;
    });
    if (look.joints)
      this.joints.colour((i, out) =>
        by === "force" || by === "error" || by === "excess"
          ? paintSize(this.jointMeasure(k, i, by), look.limits[by], out)
          : out.set(isDark() ? "#c9d1d9" : "#3d4650"));
  }

  private updateTrails(t: number, look: Look): void {
    const all = this.run.machine.bodies.map((_, i) => i)
      .filter((i) => i > 0 && this.run.machine.bodies[i].kind !== "fixed");
    const shown = !look.trails ? [] : this.selected > 0 ? [this.selected] : all.slice(0, 80);
    this.trails.show(shown, (i) =>
      look.colouring === "run" ? trail.set(this.colour) : bodyColour(i, false, trail));
    this.trails.update(t, 3, this.bodies.poses);
  }
}
const a = new Vector3();
const b = new Vector3();
const force = new Vector3();
const white = new Color("#ffffff");
const trail = new Color();
