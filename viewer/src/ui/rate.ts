// SPDX-License-Identifier: Apache-2.0
// How many frames a second the page reaches while it plays, and what they cost it.
import { find, format } from "./dom";

// Of one frame [ms]: poses, matrices, colours and curves; then what it takes to hand the drawing to
// the graphics processor, which goes on by itself.
export interface FrameCost {
  update: number;
  submit: number;
}

const period = 500; // [ms] between two readings

export class FrameRate {
  private frames = 0;
  private since = performance.now();
  private work = 0; // [ms] of these frames

  count({ update, submit }: FrameCost): void {
    ++this.frames;
    this.work += update + submit;
  }

  // At every tick, drawn or not. Nothing while it does not play.
  show(now: number): void {
    const passed = now - this.since;
    const few = this.frames > 0 && this.frames < 5; // wait for more, but not for ever
    if (passed < (few ? 4 * period : period)) return;
    const rate = find("rate");
    const moving = this.frames > 1;
    rate.textContent = moving ? `${Math.round((1000 * this.frames) / passed)} fps` : "";
    rate.title = moving ? `Frames drawn a second; the page works ${format(this.work / this.frames, 2)} ms on each` : "";
    this.frames = this.work = 0;
    this.since = now;
  }
}
