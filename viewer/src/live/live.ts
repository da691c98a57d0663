// SPDX-License-Identifier: Apache-2.0
// A view of a simulation that goes on: frames come as server-sent events and orders go back.
import type { Header } from "../data/format";
import { Recording, type LiveFrame } from "../data/recording";
import { fromBase64 } from "../data/unpack";
import { start } from "../start";
import { find } from "../ui/dom";
import { togglePanel } from "../ui/keys";
import { LiveControls } from "./controls";
import { Drag } from "./drag";
import type { Order, Status } from "./orders";

interface SceneData extends Header {
  steppers: string[];
  solvers: string[];
  meshes: string;
}

interface FrameData {
  t: number;
  step: number;
  epoch: number;
  worst: string;
  all_contacts: number;
  values: number[];
  numbers: string;
}

const mostFrames = 7200; // two minutes at 60 a second; then the first half goes

function floats(text: string): Float32Array {
  return new Float32Array(fromBase64(text).buffer);
}

function unpackFrame(data: FrameData, run: Recording): LiveFrame {
  const numbers = floats(data.numbers);
  let at = 0;
  const take = (count: number) => numbers.subarray(at, (at += count));
  return {
    t: data.t, step: data.step, worst: data.worst, allContacts: data.all_contacts,
    values: Float64Array.from(data.values), poses: take(run.poses.width),
    velocities: take(run.velocities.width),
    joints: take(run.joints.width), controls: take(run.controls.width),
    contacts: numbers.slice(at),
  };
}

export async function sendOrder(order: Order): Promise<Status> {
  const response = await fetch("orders", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer as Status;
}

// The first frame comes before anything is drawn: the camera needs to know where the machine is.
function firstFrame(events: EventSource): Promise<FrameData> {
  return new Promise((resolve) =>
    events.addEventListener("frame", (event) => resolve(JSON.parse(event.data)), { once: true }));
}

export async function startLive(): Promise<void> {
  if (location.protocol === "file:") throw new Error("this page has no runs in it");
  const scene = (await (await fetch("scene")).json()) as SceneData;
  const events = new EventSource("events");
  const run = new Recording(scene, 600, "");
  run.meshes = floats(scene.meshes);
  const first = await firstFrame(events);
  run.append(unpackFrame(first, run));
  let epoch = first.epoch;
  const { viewer, plots } = start([run], []);
  const controls = new LiveControls(viewer, scene.steppers, scene.solvers);
  const drag = new Drag(viewer);
  let refilled = 0;

  const add = (data: FrameData) => {
    const atEnd = viewer.time >= run.end - 1e-9;
    if (data.epoch !== epoch || data.t < run.end) run.clear();
    epoch = data.epoch;
    if (run.frames > 0 && data.t === run.end) run.dropLast(); // the same time, seen again
    if (run.frames >= mostFrames) run.dropFirst(mostFrames / 2);
    run.append(unpackFrame(data, run));
    if (performance.now() - refilled > 300) {
      refilled = performance.now();
      viewer.refreshLimits();
      plots.refill();
    }
    if (atEnd || viewer.time < run.start || viewer.time > run.end) viewer.seek(run.end);
    else viewer.changed();
  };
  events.addEventListener("frame", (event) => add(JSON.parse(event.data)));
  events.addEventListener("status", (event) => {
    const status = JSON.parse(event.data) as Status;
    controls.show(status);
    drag.show(status.hand);
  });
  events.addEventListener("error", () => controls.lost());
  events.addEventListener("open", () => controls.found());
  find("subtitle").textContent = `${run.bodies} ${run.bodies === 1 ? "body" : "bodies"} · live`;
  togglePanel();
}
