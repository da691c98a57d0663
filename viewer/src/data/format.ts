// SPDX-License-Identifier: Apache-2.0
// What the program writes: see src/ligament/io/replay/replay.h and machine_json.h.

export type Triple = [number, number, number];
export type Pose = [number, number, number, number, number, number, number];

export interface ShapeData {
  type: "sphere" | "box" | "capsule" | "cylinder" | "mesh" | "half_space" | "plane" | "cavity";
  name?: string;
  pose: Pose;
  radius?: number;
  half_length?: number;
  half?: Triple;
  vertices?: [number, number];
  triangles?: [number, number];
  simplified?: boolean;
}

export interface BodyData {
  name: string;
  kind: "rigid" | "particle" | "rod" | "fixed";
  mass: number;
  length?: number;
  moved?: boolean;
  equivalent?: boolean;
  shapes: ShapeData[];
}

export interface CoordinateData {
  name: string;
  unit: string;
}

export interface JointData {
  name: string;
  kind: string;
  a: number;
  b: number;
  frame_a: Pose;
  frame_b: Pose;
  length: number;
  coordinates: CoordinateData[];
}

export interface ControlData {
  name: string;
  kind: string;
  unit: string;
  force_unit: string;
  target: number;
}

export interface Machine {
  name: string;
  description: string;
  gravity: Triple;
  bodies: BodyData[];
  joints: JointData[];
  controls: ControlData[];
}

export interface Quantity {
  name: string;
  group: string;
  label: string;
  unit: string;
}

export interface QuantityGroup {
  name: string;
  title: string;
  logarithmic: boolean;
}

export interface Report {
  status: string;
  failure: string;
  stepper: string;
  solver: string;
  h: number;
  steps: number;
  cpu_seconds: number;
  violation_max: number;
  violation_worst: string;
  residual_max: number;
  penetration_max: number;
  as_asked: boolean; // whether the machine that was simulated is the one asked for
  simulated: string; // which one it was, in lines
  warnings: string[];
}

// What replays and live views have in common.
export interface Header {
  ligament: string;
  machine: Machine;
  quantities: Quantity[];
  groups: QuantityGroup[];
  joint_numbers: number;
}

export interface RunData extends Header {
  label: string;
  report: Report;
  stride: number;
  thinned: boolean;
  rows: string[] | null;
  contact_bodies?: [number, number][];
  steps: number[];
  times: number[];
  grid: number;
  velocity_grid: number;
  force_grid: number;
  dropped_bits: number;
  sections: Record<"meshes" | "poses" | "velocities" | "quantities" | "joints" | "contacts", [number, number]>;
}
