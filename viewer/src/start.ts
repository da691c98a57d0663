// SPDX-License-Identifier: Apache-2.0
// Puts the parts of the page together, for replays and live views alike.
import { Vector3 } from "three";
import type { RunData } from "./data/format";
import type { Recording } from "./data/recording";
import { Stage } from "./scene/stage";
import { find } from "./ui/dom";
import { connectKeys, connectTheme, togglePanel } from "./ui/keys";
import { Panel } from "./ui/panel";
import { Plots } from "./ui/plots";
import { FrameRate, type FrameCost } from "./ui/rate";
import { Tooltip } from "./ui/tooltip";
import { Transport } from "./ui/transport";
import { Viewer } from "./viewer";

declare global {
  interface Window {
    ligament?: {
      viewer: Viewer;
      drawn(body: string, run?: number): number[];
      frame(seconds: number): FrameCost & { drawn: boolean; calls: number };
    };
  }
}

export function start(runs: Recording[], data: RunData[]): { viewer: Viewer; plots: Plots } {
  const gravity = new Vector3(...runs[0].machine.gravity);
  const up = gravity.length() > 0 ? gravity.normalize().negate() : new Vector3(0, 0, 1);
  const viewer = new Viewer(new Stage(find<HTMLCanvasElement>("canvas"), up), runs);
  viewer.live = data.length === 0;
  const transport = new Transport(viewer);
  new Panel(viewer, data);
  new Tooltip(viewer);
  const plots = new Plots(viewer);
  connectKeys(viewer, transport, connectTheme(viewer, plots));
  find("panel-button").addEventListener("click", togglePanel);
  find("title").textContent = runs[0].machine.name;
  document.title = `${runs[0].machine.name} · Ligament`;
  // All that the page does for one frame, some seconds after the last.
  const frame = (seconds: number) => {
    const from = performance.now();
    viewer.advance(seconds);
    const updated = performance.now();
    const drawn = viewer.stage.draw();
    const submit = performance.now() - updated;
    return { update: updated - from, submit, drawn, calls: viewer.stage.renderer.info.render.calls };
  };
  window.ligament = {
    viewer,
    frame,
    // Where a body is on the screen, in metres of the world: for tests and the curious.
    drawn: (body, run = 0) => viewer.views[run].bodies.drawnPosition(
      runs[run].machine.bodies.findIndex((b) => b.name === body)).toArray(),
  };
  const rate = new FrameRate();
  let before = performance.now();
  const tick = (now: number) => {
    const cost = frame(Math.min(0.1, (now - before) / 1000));
    before = now;
    if (cost.drawn && viewer.playing) rate.count(cost);
    rate.show(now);
    requestAnimationFrame(tick);
  };
  viewer.changed();
  requestAnimationFrame(tick);
  return { viewer, plots };
}
