// SPDX-License-Identifier: Apache-2.0
// The frames of one run: of a replay all at once, of a live view one after the other.
import type { Header, Machine, RunData } from "./format";
import { floatOf, fromBase64, inflate, Unpacker } from "./unpack";

export interface ContactPoint {
  bodies: [number, number];
  point: [number, number, number];
  force: [number, number, number]; // [N] on the second body
  excess: number; // [m/N] compliance that the solver added; < 0: it feeds energy
}

export interface LiveFrame {
  t: number;
  step: number;
  poses: Float32Array;
  values: Float64Array;
  worst: string;
  allContacts: number;
  joints: Float32Array;
  controls: Float32Array;
  contacts: Float32Array; // nine numbers each: bodies a and b, point, force, excess
}

const contactNumbers = 9;

// A growing array of rows.
class Table {
  data: Float32Array;
  constructor(readonly width: number, rows: number) {
    this.data = new Float32Array(Math.max(1, width * rows));
  }
  row(k: number): Float32Array {
    return this.data.subarray(k * this.width, (k + 1) * this.width);
  }
  reserve(rows: number): void {
    if (rows * this.width <= this.data.length) return;
    const larger = new Float32Array(Math.max(2 * this.data.length, rows * this.width));
    larger.set(this.data);
    this.data = larger;
  }
  dropFirst(rows: number): void {
    this.data.copyWithin(0, rows * this.width);
  }
}

export class Recording {
  readonly machine: Machine;
  readonly bodies: number; // the world not counted
  times: number[] = [];
  steps: number[] = [];
  worst: string[] = [];
  allContacts: number[] = [];
  poses: Table;
  values: Table;
  joints: Table;
  controls: Table;
  // Where the numbers of each joint begin in a row of `joints`.
  readonly jointAt: number[] = [];
  meshes: Float32Array = new Float32Array();
  private contacts: Float32Array[] = []; // of each frame
  // Changes when frames go or come, for those who keep curves of them.
  version = 0;

  constructor(readonly header: Header, frames: number, readonly label: string) {
    this.machine = header.machine;
    this.bodies = header.machine.bodies.length - 1;
    let width = 0;
    for (const joint of this.machine.joints) {
      this.jointAt.push(width);
      width += header.joint_numbers + joint.coordinates.length;
    }
    this.poses = new Table(7 * this.bodies, frames);
    this.values = new Table(header.quantities.length, frames);
    this.joints = new Table(width, frames);
    this.controls = new Table(2 * this.machine.controls.length, frames);
  }

  get frames(): number {
    return this.times.length;
  }
  get start(): number {
    return this.times[0] ?? 0;
  }
  get end(): number {
    return this.times[this.times.length - 1] ?? 0;
  }

  // The last frame that is not after t.
  frameAt(t: number): number {
    let low = 0;
    let high = this.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= t + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  nearestFrame(t: number): number {
    const k = this.frameAt(t);
    return k + 1 < this.frames && this.times[k + 1] - t < t - this.times[k] ? k + 1 : k;
  }

  // Poses between frames: straight lines, and the shorter way between two attitudes.
  posesAt(t: number, out: Float32Array): void {
    const k = this.frameAt(t);
    const from = this.poses.row(k);
    if (k + 1 >= this.frames || t <= this.times[k] + 1e-9) {
      out.set(from);
      return;
    }
    const s = (t - this.times[k]) / (this.times[k + 1] - this.times[k]);
    const to = this.poses.row(k + 1);
    for (let i = 0; i < from.length; i += 7) {
      for (let c = 0; c < 3; ++c) out[i + c] = from[i + c] + s * (to[i + c] - from[i + c]);
      let dot = 0;
      for (let c = 3; c < 7; ++c) dot += from[i + c] * to[i + c];
      const sign = dot < 0 ? -1 : 1;
      let square = 0;
      for (let c = 3; c < 7; ++c) {
        const q = from[i + c] + s * (sign * to[i + c] - from[i + c]);
        out[i + c] = q;
        square += q * q;
      }
      const scale = 1 / Math.sqrt(square || 1);
      for (let c = 3; c < 7; ++c) out[i + c] *= scale;
    }
  }

  // Mean velocity [m/s] of a body around frame k.
  velocity(body: number, k: number): [number, number, number] {
    const from = Math.max(0, k - 1);
    const dt = this.times[k] - this.times[from];
    if (!(dt > 0)) return [0, 0, 0];
    const a = this.poses.row(from);
    const b = this.poses.row(k);
    const at = 7 * (body - 1);
    return [0, 1, 2].map((c) => (b[at + c] - a[at + c]) / dt) as [number, number, number];
  }

  contactsAt(k: number): ContactPoint[] {
    const numbers = this.contacts[k] ?? new Float32Array();
    const found: ContactPoint[] = [];
    for (let i = 0; i + contactNumbers <= numbers.length; i += contactNumbers)
      found.push({
        bodies: [numbers[i], numbers[i + 1]],
        point: [numbers[i + 2], numbers[i + 3], numbers[i + 4]],
        force: [numbers[i + 5], numbers[i + 6], numbers[i + 7]],
        excess: numbers[i + 8],
      });
    return found;
  }

  // The size [N] that all but the strongest hundredth of the contact forces stay below.
  typicalContactForce(): number {
    const sizes: number[] = [];
    const every = Math.max(1, Math.floor(this.frames / 200));
    for (let k = 0; k < this.frames; k += every)
      for (const { force } of this.contactsAt(k)) sizes.push(Math.hypot(...force));
    if (sizes.length === 0) return 0;
    sizes.sort((a, b) => a - b);
    return sizes[Math.floor(0.98 * (sizes.length - 1))];
  }

  append(frame: LiveFrame): void {
    const k = this.frames;
    for (const table of [this.poses, this.values, this.joints, this.controls]) table.reserve(k + 1);
    this.poses.row(k).set(frame.poses);
    this.values.row(k).set(frame.values);
    this.joints.row(k).set(frame.joints);
    this.controls.row(k).set(frame.controls);
    this.contacts.push(frame.contacts);
    this.times.push(frame.t);
    this.steps.push(frame.step);
    this.worst.push(frame.worst);
    this.allContacts.push(frame.allContacts);
    ++this.version;
  }

  clear(): void {
    this.dropFirst(this.frames);
  }

  dropLast(): void {
    for (const list of [this.times, this.steps, this.worst, this.allContacts, this.contacts]) list.pop();
    ++this.version;
  }

  dropFirst(count: number): void {
    for (const table of [this.poses, this.values, this.joints, this.controls])
      table.dropFirst(count);
    for (const list of [this.times, this.steps, this.worst, this.allContacts, this.contacts])
      list.splice(0, count);
    ++this.version;
  }

  static async unpack(data: RunData, text: string): Promise<Recording> {
    const bytes = await inflate(fromBase64(text));
    const count = data.times.length;
    const run = new Recording(data, count, data.label);
    run.times = data.times;
    run.steps = data.steps;
    const [from, size] = data.sections.meshes;
    run.meshes = new Float32Array(bytes.slice(from, from + size).buffer);

    const poses = new Unpacker(bytes, data.sections.poses);
    for (let i = 0; i < run.poses.width; ++i) {
      const place = i % 7 < 3;
      const unit = place ? data.grid : 1 / 32767;
      poses.series(count, place ? 2 : 1, (k, x) => {
        run.poses.data[k * run.poses.width + i] = x * unit;
      });
    }
    const values = new Unpacker(bytes, data.sections.quantities);
    for (let i = 0; i < run.values.width; ++i)
      values.series(count, 1, (k, x) => {
        run.values.data[k * run.values.width + i] = floatOf(x, 0);
      });
    values.series(count, 1, (k, x) => (run.worst[k] = x < 0 ? "" : (data.rows?.[x] ?? "")));
    values.series(count, 1, (k, x) => (run.allContacts[k] = x));
    const joints = new Unpacker(bytes, data.sections.joints);
    for (const table of [run.joints, run.controls])
      for (let i = 0; i < table.width; ++i)
        joints.series(count, 1, (k, x) => {
          table.data[k * table.width + i] = floatOf(x, data.dropped_bits);
        });
    run.unpackContacts(data, bytes);
    return run;
  }

  private unpackContacts(data: RunData, bytes: Uint8Array): void {
    const pairs = data.contact_bodies ?? [];
    const last = new Int32Array(7 * pairs.length);
    const reader = new Unpacker(bytes, data.sections.contacts);
    for (let k = 0; k < data.times.length; ++k) {
      const count = reader.integer();
      const numbers = new Float32Array(contactNumbers * count);
      let id = 0;
      for (let i = 0; i < count; ++i) {
        id += reader.integer();
        const out = contactNumbers * i;
        numbers[out] = pairs[id][0];
        numbers[out + 1] = pairs[id][1];
        for (let c = 0; c < 6; ++c) {
          last[7 * id + c] += reader.integer();
          numbers[out + 2 + c] = last[7 * id + c] * (c < 3 ? data.grid : data.force_grid);
        }
        last[7 * id + 6] += reader.integer();
        numbers[out + 8] = floatOf(last[7 * id + 6], data.dropped_bits);
      }
      this.contacts.push(numbers);
    }
  }
}
