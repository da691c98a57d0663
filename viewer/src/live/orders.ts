// SPDX-License-Identifier: Apache-2.0
// What a live simulation understands and tells: see docs/command.md.
import type { Triple } from "../data/format";

export type Order =
  | { do: "play" | "pause" | "reset" | "release" }
  | { do: "step"; count?: number }
  | { do: "speed"; value: number }
  | { do: "gravity"; value: Triple }
  | { do: "stepper"; value: { type: string; h: number; solver: string } }
  | { do: "target"; control: string; value: number }
  | { do: "drag"; body: string; target: Triple; point?: Triple };

export interface Hand {
  body: number;
  grip: Triple;
  target: Triple;
  force: Triple;
  stiffness: number;
  damping: number;
}

export interface Status {
  t: number;
  step: number;
  epoch: number;
  playing: boolean;
  speed: number;
  stepper: string;
  solver: string;
  h: number;
  gravity: Triple;
  targets: number[];
  step_cost: number;
  real_time: number;
  failure: string;
  hand: Hand | null;
}
