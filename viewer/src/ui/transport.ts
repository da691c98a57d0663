// SPDX-License-Identifier: Apache-2.0
// Play, pause, step, slider, speed, loop.
import type { Viewer } from "../viewer";
import { find, icon, icons, make, select } from "./dom";

const speeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export class Transport {
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly clock: HTMLOutputElement;
  private shown = false;

  constructor(private readonly viewer: Viewer) {
    const button = (id: string, path: string, label: string, act: () => void) =>
      make("button", { id, type: "button", "aria-label": label, title: label, click: act }, icon(path));
    this.play = button("play", icons.play, "Play or pause (space)", () => viewer.play(!viewer.playing));
    this.slider = make("input", {
      id: "slider", type: "range", "aria-label": "Time", step: "1", min: "0", value: "0",
    });
    // The slider counts frames of the first run, so that it stops where numbers are exact.
    this.slider.addEventListener("input", () => {
      viewer.playing = false;
      viewer.seek(viewer.runs[0].times[Number(this.slider.value)] ?? 0);
    });
    this.clock = make("output", { id: "clock", for: "slider" });
    const loop = make("button", {
      id: "loop", type: "button", class: "toggle", "aria-pressed": "true",
      "aria-label": "Loop (L)", title: "Loop (L)",
      click: () => this.toggleLoop(),
    }, icon(icons.loop));
    find("transport").append(
      button("first", icons.first, "To the start (Home)", () => viewer.seek(viewer.start)),
      button("back", icons.back, "One frame back (left)", () => viewer.stepFrames(-1)),
      this.play,
      button("forward", icons.forward, "One frame on (right)", () => viewer.stepFrames(1)),
      this.slider, this.clock,
      select("Speed", speeds.map((s) => [String(s), `${s} ×`]), "1", (value) => {
        viewer.speed = Number(value);
      }),
      loop);
    viewer.onChange(() => this.show());
    this.show();
  }

  toggleLoop(): void {
    this.viewer.loop = !this.viewer.loop;
    find("loop").setAttribute("aria-pressed", String(this.viewer.loop));
  }

  private show(): void {
    const run = this.viewer.runs[0];
    this.slider.max = String(Math.max(0, run.frames - 1));
    this.slider.value = String(run.nearestFrame(this.viewer.time));
    this.slider.setAttribute("aria-valuetext", `${this.viewer.time.toFixed(3)} seconds`);
    if (this.shown !== this.viewer.playing) {
      this.shown = this.viewer.playing;
      this.play.replaceChildren(icon(this.shown ? icons.pause : icons.play));
    }
    const digits = this.viewer.end - this.viewer.start < 10 ? 3 : 2;
    this.clock.textContent = `${this.viewer.time.toFixed(digits)} s`;
  }
}
