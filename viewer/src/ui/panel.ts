// SPDX-License-Identifier: Apache-2.0
// Settings of the view, and what there is to know about the runs.
import { isDark, runColours, viridis, wrongWayColour } from "../scene/colours";
import type { Colouring } from "../scene/run_view";
import type { Layout, Viewer } from "../viewer";
import type { RunData } from "../data/format";
import { checkbox, find, format, make, select, shortest, slider } from "./dom";

export class Panel {
  private legend = ""; // what it was made for
  constructor(private readonly viewer: Viewer, data: RunData[]) {
    const { look } = viewer;
    const panel = find("panel");
    const change = <Key extends keyof typeof look>(key: Key) => (value: (typeof look)[Key]) => {
      look[key] = value;
      viewer.changed();
    };
    const colourings: [string, string][] = [
      ["body", "by body"], ...(viewer.runs.length > 1 ? [["run", "by run"] as [string, string]] : []),
      ["speed", "by speed"], ["force", "by force"], ["error", "by constraint error"],
      ["excess", "by compliance added by the solver"],
    ];
    panel.append(make("h2", {}, "View"),
      select("Colours", colourings, look.colouring, (value) => change("colouring")(value as Colouring)),
      checkbox("Joints", look.joints, change("joints")),
      checkbox("Contact forces", look.contacts, change("contacts")),
      checkbox("Joint forces", look.reactions, change("reactions")),
      checkbox("Trails", look.trails, change("trails")),
      slider("Joint size", 0, [-1, 1], (x) => change("symbolScale")(4 ** x)),
      slider("Arrow length", 0, [-1.5, 1.5], (x) => {
        viewer.forceScale = 10 ** x;
        viewer.chooseForceScale();
        viewer.changed();
      }),
      this.followSelect(),
      make("button", { type: "button", id: "home", title: "Whole machine (0)", click: () => {
        viewer.followBody(0);
        viewer.stage.frame();
      } }, "Show all"));
    if (viewer.runs.length > 1) this.addRuns(panel);
    for (const run of data) panel.append(this.about(run));
    panel.append(make("h2", {}, "Keys"), make("dl", { class: "keyboard" },
      ...[["space", "play, pause"], ["← →", "one frame"], ["⇧ ← →", "a tenth"], ["Home, End", "start, end"],
        ["0", "show all"], ["J C F T", "joints, contacts, joint forces, trails"], ["L", "loop"],
        ["D", "light or dark"], ["P", "settings"], ["double click", "follow a body"]]
        .flatMap(([key, text]) => [make("dt", {}, key), make("dd", {}, text)])));
    viewer.onChange(() => this.showLegend());
    // Keys change settings too.
    const boxes = [...panel.querySelectorAll<HTMLInputElement>("label.check input")];
    const keys = ["joints", "contacts", "reactions", "trails"] as const;
    const colours = panel.querySelector<HTMLSelectElement>('select[aria-label="Colours"]')!;
    viewer.onChange(() => {
      keys.forEach((key, i) => (boxes[i].checked = look[key]));
      if (colours.value !== look.colouring) colours.value = look.colouring;
    });
  }

  private followSelect(): HTMLElement {
    const { viewer } = this;
    const bodies = viewer.runs[0].machine.bodies;
    const options: [string, string][] = bodies.slice(0, 2000).map((body, i) =>
      [String(i), i === 0 ? "nobody" : body.name]);
    const field = select("Follow", options, "0", (value) => viewer.followBody(Number(value)));
    const list = field.querySelector("select")!;
    viewer.onChange(() => {
      if (list.value !== String(viewer.follow)) list.value = String(viewer.follow);
    });
    return field;
  }

  private addRuns(panel: HTMLElement): void {
    const { viewer } = this;
    panel.append(make("h2", {}, "Runs"),
      select("Arranged", [["overlay", "on top of each other"], ["side", "side by side"]], viewer.layout,
        (value) => {
          viewer.layout = value as Layout;
          viewer.place();
          viewer.stage.frame();
          viewer.changed();
        }),
      ...viewer.views.map((view, i) => {
        const box = checkbox(view.run.label, true, (on) => {
          view.hidden = !on;
          viewer.changed();
        });
        box.append(make("i", { class: "swatch", style: `background:${runColours[i % runColours.length]}` }));
        return box;
      }));
  }

  private about(data: RunData): HTMLElement {
    const { report } = data;
    const rows: [string, string][] = [
      ["method", `${report.stepper}, ${report.solver}`],
      ["step", `${shortest(report.h)} s × ${report.steps}`],
      ["cost", `${format(report.cpu_seconds, 3)} s of processor`],
      ["constraint error", `${format(report.violation_max, 3)} ${report.violation_worst ? `(${report.violation_worst})` : ""}`],
      ["residual", `${format(report.residual_max, 3)} m/s`],
      ["overlap", `${format(report.penetration_max, 3)} m`],
      ["status", report.failure || report.status],
    ];
    const box = make("section", { class: "about" },
      make("h2", {}, data.label || "Run"),
      make("table", {}, ...rows.map(([key, value]) => make("tr", {}, make("th", {}, key), make("td", {}, value)))));
    const notes = [...report.warnings];
    if (!report.as_asked)
      notes.push(...report.simulated.replace("simulated ", "Simulated was").trim().split("\n"));
    const most = Math.max(0, ...this.viewer.runs.map((run) => Math.max(0, ...run.allContacts)));
    if (most > 400) notes.push("Arrows are drawn at the 400 strongest contacts of a frame.");
    for (const note of notes) box.append(make("p", { class: "warning" }, note));
    return box;
  }

  // The scale of the arrows and of the colours.
  private showLegend(): void {
    const { look, views } = this.viewer;
    const touch = views.some((view) => view.run.hasContacts);
    const key = JSON.stringify([look, touch, isDark()]);
    if (key === this.legend) return;
    this.legend = key;
    const parts: HTMLElement[] = [];
    if (look.colouring !== "body" && look.colouring !== "run") {
      const [low, high] = look.limits[look.colouring];
      const unit = { speed: "m/s", force: "N", error: "m, rad", excess: "m/N, rad/(N m)" }[look.colouring];
      const stops = Array.from({ length: 9 }, (_, i) => `#${viridis(i / 8).getHexString()}`).join(",");
      parts.push(make("div", { class: "scale" }, format(low, 2),
        make("i", { style: `background:linear-gradient(90deg,${stops})` }), `${format(high, 2)} ${unit}`));
      if (look.colouring === "excess")
        parts.push(make("div", { class: "scale" },
          make("i", { style: `background:${wrongWayColour}` }), "pushes the wrong way"));
    }
    const arrows = (look.contacts && touch) || look.reactions;
    if (arrows && look.metresPerNewton > 0) {
      const size = this.viewer.size;
      const newtons = 10 ** Math.round(Math.log10(size / look.metresPerNewton));
      parts.push(make("div", { class: "scale" },
        `arrow of ${format(newtons * look.metresPerNewton, 2)} m: ${format(newtons, 2)} N`));
    }
    find("legend").replaceChildren(...parts);
  }
}
