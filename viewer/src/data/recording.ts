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
  velocities: Float32Array;
  values: Float64Array;
  worst: string;
  allContacts: number;
  joints: Float32Array;
  controls: Float32Array;
  contacts: Float32Array; // nine numbers each: bodies a and b, point, force, excess
}

export const contactNumbers = 9;
const noContacts = new Float32Array();

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
  velocities: Table;
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
    this.velocities = new Table(3 * this.bodies, frames);
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

  // Velocity [m/s] of a body's centre at frame k, as the simulation has it.
  velocity(body: number, k: number): Float32Array {
    return this.velocities.row(k).subarray(3 * (body - 1), 3 * body);
  }
  speed(body: number, k: number): number {
    const v = this.velocity(body, k);
    return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }

  private get tables(): Table[] {
    return [this.poses, this.velocities, this.values, this.joints, this.controls];
  }

  // Eight numbers each: bodies a and b, point [m], force [N] on b.
  contactNumbersAt(k: number): Float32Array {
    return this.contacts[k] ?? noContacts;
  }

  contactsAt(k: number): ContactPoint[] {
    const numbers = this.contactNumbersAt(k);
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

  private touched = { version: -1, at: false };
  // Whether anything presses at any time.
  get hasContacts(): boolean {
    if (this.touched.version !== this.version)
      this.touched = { version: this.version, at: this.allContacts.some((n) => n > 0) };
    return this.touched.at;
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
    for (const table of this.tables) table.reserve(k + 1);
    this.poses.row(k).set(frame.poses);
    this.velocities.row(k).set(frame.velocities);
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
    for (const table of this.tables) table.dropFirst(count);
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

    run.unpackMotion(data, bytes);
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

  private unpackMotion(data: RunData, bytes: Uint8Array): void {
    const reader = new Unpacker(bytes, data.sections.poses);
    const velocities = new Unpacker(bytes, data.sections.velocities);
    const series = new Int32Array(data.times.length);
    for (let i = 0; i < this.poses.width; ++i) {
      const place = i % 7 < 3;
      const unit = place ? data.grid : 1 / 32767;
      reader.series(series.length, place ? 2 : 1, (k, x) => {
        series[k] = x;
        this.poses.data[k * this.poses.width + i] = x * unit;
      });
      if (place) this.unpackVelocity(data, series, 3 * Math.floor(i / 7) + (i % 7), velocities);
    }
  }

  // Differences from the mean velocity between the frames around, on the grids of the file.
  private unpackVelocity(data: RunData, places: Int32Array, column: number, reader: Unpacker): void {
    const ratio = data.grid / data.velocity_grid;
    const last = places.length - 1;
    for (let k = 0; k <= last; ++k) {
      const from = Math.max(0, k - 1);
      const to = Math.min(last, k + 1);
      const dt = data.times[to] - data.times[from];
      const mean = dt > 0 ? ((places[to] - places[from]) * ratio) / dt : 0;
      this.velocities.data[k * this.velocities.width + column] =
        (reader.integer() + Math.floor(mean + 0.5)) * data.velocity_grid;
    }
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
