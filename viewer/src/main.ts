// SPDX-License-Identifier: Apache-2.0
// Starts the page: with the runs that are in it, or with a simulation that serves it.
import type { RunData } from "./data/format";
import { Recording } from "./data/recording";
import { startLive } from "./live/live";
import { start } from "./start";
import "./style.css";
import { find, shortest } from "./ui/dom";
import { startTheme, togglePanel } from "./ui/keys";

function fail(error: unknown): void {
  const notice = find("notice");
  notice.textContent = error instanceof Error ? error.message : String(error);
  notice.classList.add("bad");
  console.error(error);
}

function describe(data: RunData[]): void {
  const [first] = data;
  const count = first.machine.bodies.length - 1;
  const end = first.times[first.times.length - 1];
  find("subtitle").textContent = `${count} ${count === 1 ? "body" : "bodies"} · ${shortest(end, 4)} s · ` +
    (data.length === 1 ? `${first.report.stepper} at h = ${shortest(first.report.h)} s`
      : data.map((run) => run.label).join(" and "));
  const notes: string[] = [];
  if (first.stride > 1)
    notes.push(`${first.thinned ? "thinned: " : ""}one step in ${first.stride} is shown`);
  if (data.some((run) => run.report.failure)) notes.push("the run failed: see the settings");
  find("notice").textContent = notes.join(" · ");
}

async function main(): Promise<void> {
  startTheme();
  const elements = [...document.querySelectorAll<HTMLScriptElement>("script.ligament-run")];
  if (elements.length === 0) {
    await startLive();
    return;
  }
  find("notice").textContent = "loading …";
  const data = elements.map((element) => JSON.parse(element.textContent!) as RunData);
  const runs = await Promise.all(data.map((run, i) =>
    Recording.unpack(run, find(`${elements[i].id}-numbers`).textContent!)));
  for (const element of elements) find(`${element.id}-numbers`).remove();
  const { viewer } = start(runs, data);
  describe(data);
  if (matchMedia("(min-width: 1100px)").matches) togglePanel();
  viewer.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

main().catch(fail);
