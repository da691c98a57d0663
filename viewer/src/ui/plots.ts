// SPDX-License-Identifier: Apache-2.0
// Curves on one time axis, with a cursor where the slider is.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Recording } from "../data/recording";
import { palette, themeColour } from "../scene/colours";
import type { Viewer } from "../viewer";
import { find, format, make, select } from "./dom";

interface Curve {
  label: string;
  unit: string;
  run: number;
  value: (k: number) => number; // at frame k
}

interface Figure {
  key: string;
  title: string;
  unit: string;
  logarithmic: boolean;
  curves: Curve[];
}

const dashes = [[], [6, 3], [2, 3], [8, 3, 2, 3]]; // [px] on, off, …

// A background with the dashes of a curve.
function swatch(colour: string, dash: number[]): string {
  if (dash.length === 0) return colour;
  let at = 0;
  const stops = dash.map((length, i) =>
    `${i % 2 === 0 ? colour : "transparent"} ${at}px ${(at += length)}px`);
  return `repeating-linear-gradient(90deg,${stops.join(",")})`;
}

class Plot {
  readonly element: HTMLElement;
  private chart: uPlot | null = null;
  private readonly values: HTMLElement[] = [];
  private readonly note = make("span", { class: "note" });
  private readonly place = make("div", { class: "chart" });
  private readonly cursor = make("i", { class: "cursor" });
  private told = 0; // when [ms]

  constructor(private readonly viewer: Viewer, private readonly figure: Figure,
    private readonly noteAt: (k: number) => string) {
    const legend = make("div", { class: "keys" });
    figure.curves.forEach((curve, i) => {
      const value = make("output", { "data-figure": figure.key, "data-curve": curve.label, "data-run": curve.run });
      this.values.push(value);
      legend.append(make("span", { class: "key" },
        make("i", { style: `background:${swatch(this.colour(i), dashes[this.dash(i)])}` }), curve.label, value));
    });
    this.element = make("figure", { class: "plot", "data-figure": figure.key },
      make("figcaption", {}, make("b", {}, figure.title),
        make("small", {}, figure.unit ? ` [${figure.unit}]` : ""), this.note, legend),
      this.place);
  }

  // One colour a run, or one a curve if there is but one run. Curves of a run differ by dashes.
  private colour(i: number): string {
    const { run } = this.figure.curves[i];
    return palette[(this.viewer.runs.length > 1 ? run : i) % palette.length];
  }

  private dash(i: number): number {
    const { run } = this.figure.curves[i];
    const before = this.figure.curves.slice(0, i).filter((curve) => curve.run === run).length;
    return this.viewer.runs.length > 1 ? before % dashes.length : 0;
  }

  private tables(): uPlot.AlignedData {
    const runs = this.viewer.runs;
    const tables = runs.map((run, r) => {
      const columns: (number | null)[][] = this.figure.curves.filter((c) => c.run === r)
        .map((curve) => run.times.map((_, k) => {
          const x = curve.value(k);
          return Number.isFinite(x) && (!this.figure.logarithmic || x > 0) ? x : null;
        }));
      return [run.times, ...columns] as unknown as uPlot.AlignedData;
    });
    return runs.length === 1 ? tables[0] : uPlot.join(tables, tables.map((t) => t.map(() => 1)));
  }

  draw(): void {
    this.chart?.destroy();
    this.place.textContent = "";
    const axis: uPlot.Axis = {
      stroke: themeColour("--muted"), grid: { stroke: themeColour("--line"), width: 1 },
      ticks: { stroke: themeColour("--line"), width: 1, size: 4 }, font: "11px system-ui, sans-serif",
    };
    this.chart = new uPlot({
      width: Math.max(160, this.element.clientWidth - 12), height: 150, legend: { show: false },
      padding: [8, 10, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false, x: false },
      scales: { x: { time: false }, y: this.figure.logarithmic ? { distr: 3, range: decades } : {} },
      axes: [
        { ...axis, size: 24, gap: 2, values: (_u, ticks) => ticks.map((t) => `${+t.toFixed(6)} s`) },
        { ...axis, size: 58, gap: 4, ...(this.figure.logarithmic ? logarithmicLines(axis) : {}), values: (_u, ticks) => ticks.map((x) => (x === null ? "" : short(x))) },
      ],
      series: [{}, ...this.figure.curves.map((curve, i) => ({
        label: curve.label, stroke: this.colour(i), width: 1.5, points: { show: false },
        dash: dashes[this.dash(i)],
      }))],
    }, this.tables(), this.place);
    const over = this.chart.over;
    over.append(this.cursor);
    over.style.cursor = "ew-resize";
    const seek = (event: PointerEvent) => {
      if (event.type === "pointerdown") over.setPointerCapture(event.pointerId);
      else if (event.buttons === 0) return;
      this.viewer.playing = false;
      const t = this.chart!.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
      const run = this.viewer.runs[0];
      this.viewer.seek(run.times[run.nearestFrame(t)]);
    };
    over.addEventListener("pointerdown", seek);
    over.addEventListener("pointermove", seek);
  }

  // A line over the curves, which are not drawn again for it. A live run is a little ahead of them.
  private moveCursor(u: uPlot): void {
    const [width, time] = [u.bbox.width / devicePixelRatio, this.viewer.time];
    const x = Math.min(width, Math.max(0, u.valToPos(time, "x")));
    this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  // Numbers while it plays are shown as often as one can read them.
  showTime(): void {
    if (this.chart) this.moveCursor(this.chart);
    const now = performance.now();
    if (this.viewer.playing && now - this.told < 100) return;
    this.told = now;
    this.figure.curves.forEach((curve, i) => {
      const run = this.viewer.runs[curve.run];
      if (run.frames === 0) return;
      const value = curve.value(run.nearestFrame(this.viewer.time));
      this.values[i].textContent = `${format(value)} ${curve.unit}`;
      this.values[i].dataset.value = String(value);
    });
    this.note.textContent = this.noteAt(this.viewer.runs[0].nearestFrame(this.viewer.time));
  }

  refill(): void {
    this.chart?.setData(this.tables());
    if (this.chart) this.moveCursor(this.chart);
  }

  resize(): void {
    this.chart?.setSize({ width: Math.max(160, this.element.clientWidth - 12), height: 150 });
    if (this.chart) this.moveCursor(this.chart);
  }
}

// Whole decades around the values, at most nine: what is smaller is rounding.
function decades(_u: uPlot, low: number, high: number): [number, number] {
  if (!(high > 0)) return [1e-3, 1];
  const top = Math.ceil(Math.log10(high) + 1e-9);
  return [10 ** Math.max(top - 9, Math.min(top - 1, Math.floor(Math.log10(low)))), 10 ** top];
}

// Labels and lines at every decade, or at every few if there are many.
function onlyDecades(u: uPlot, splits: number[]): (number | null)[] {
  const span = Math.log10(u.scales.y.max! / u.scales.y.min!);
  const every = Math.max(1, Math.ceil(span / 5));
  return splits.map((x) => {
    const power = Math.log10(x);
    const whole = Math.round(power);
    return Math.abs(power - whole) < 1e-6 && whole % every === 0 ? x : null;
  });
}

const logarithmicLines = (axis: uPlot.Axis): uPlot.Axis => ({
  filter: onlyDecades, grid: { ...axis.grid, filter: onlyDecades }, ticks: { ...axis.ticks, filter: onlyDecades },
});

function short(x: number): string {
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(0).replace("e+", "e") : String(+x.toPrecision(4));
}

export class Plots {
  private plots: Plot[] = [];
  private chosen: string;
  private readonly holder = make("div", { class: "grid" });

  constructor(private readonly viewer: Viewer) {
    const { machine } = viewer.runs[0];
    this.chosen = machine.joints.some((j) => j.coordinates.length > 0)
      ? `joint:${machine.joints.findIndex((j) => j.coordinates.length > 0)}`
      : machine.joints.length > 0 ? "joint:0" : machine.controls.length > 0 ? "control:0" : "";
    const options: [string, string][] = [
      ...machine.joints.map((j, i) => [`joint:${i}`, `joint ${j.name}`] as [string, string]),
      ...machine.controls.map((c, i) => [`control:${i}`, `control ${c.name}`] as [string, string]),
    ];
    const section = find("plots");
    section.append(this.holder);
    if (options.length > 0)
      section.append(select("Curves of", options.slice(0, 2000), this.chosen, (value) => {
        this.chosen = value;
        this.build();
      }));
    viewer.onChange(() => this.plots.forEach((plot) => plot.showTime()));
    new ResizeObserver(() => this.plots.forEach((plot) => plot.resize())).observe(section);
    this.build();
  }

  // Makes all plots anew: at the start, and when colours or the chosen joint change.
  build(): void {
    this.holder.textContent = "";
    const worst = (k: number) => {
      const name = this.viewer.runs[0].worst[k];
      return name ? `worst: ${name}` : "";
    };
    this.plots = this.figures().map(
      (figure) => new Plot(this.viewer, figure, figure.key === "violation" ? worst : () => ""));
    for (const plot of this.plots) this.holder.append(plot.element);
    for (const plot of this.plots) plot.draw();
    for (const plot of this.plots) plot.showTime();
  }

  // For a run that grows.
  refill(): void {
    for (const plot of this.plots) plot.refill();
  }

  private figures(): Figure[] {
    const runs = this.viewer.runs;
    const name = (text: string, r: number) => (runs.length > 1 ? `${text} · ${runs[r].label}` : text);
    const { quantities, groups } = runs[0].header;
    const figures: Figure[] = groups.map((group) => {
      const members = quantities.map((q, i) => ({ q, i })).filter(({ q }) => q.group === group.name);
      return {
        key: group.name, title: group.title, unit: members[0].q.unit, logarithmic: group.logarithmic,
        curves: runs.flatMap((run, r) => members.map(({ q, i }) => ({
          label: name(q.label, r), unit: q.unit, run: r,
          value: (k: number) => run.values.data[k * run.values.width + i],
        }))),
      };
    });
    // What stays 0 says nothing, unless it may still come.
    const says = (figure: Figure) => this.viewer.live ||
      figure.curves.some((c) => runs[c.run].times.some((_, k) => c.value(k) !== 0));
    return [...figures.filter(says), ...this.chosenFigures(name)];
  }

  private chosenFigures(name: (text: string, r: number) => string): Figure[] {
    const runs = this.viewer.runs;
    const [what, number] = this.chosen.split(":");
    const i = Number(number);
    const curves = (label: string, unit: string, value: (run: Recording, k: number) => number) =>
      runs.map((run, r) => ({ label: name(label, r), unit, run: r, value: (k: number) => value(run, k) }));
    const figure = (key: string, title: string, unit: string, list: Curve[]): Figure =>
      ({ key, title, unit, logarithmic: false, curves: list });
    if (what === "joint") {
      const joint = runs[0].machine.joints[i];
      const at = runs[0].jointAt[i];
      const number = (c: number) => (run: Recording, k: number) => run.joints.data[k * run.joints.width + at + c];
      const size = (run: Recording, k: number) =>
        Math.hypot(...[0, 1, 2].map((c) => number(c)(run, k)));
      const first = runs[0].header.joint_numbers;
      const found = joint.coordinates.length === 0 ? [] : [figure("coordinates", joint.name,
        [...new Set(joint.coordinates.map((c) => c.unit))].join(", "),
        joint.coordinates.flatMap((c, n) => curves(c.name, c.unit, number(first + n))))];
      return [...found, figure("forces", `Force of ${joint.name}`, "N, N m",
        [...curves("force", "N", size), ...curves("torque", "N m", number(3))])];
    }
    if (what === "control") {
      const control = runs[0].machine.controls[i];
      const number = (c: number) => (run: Recording, k: number) => run.controls.data[k * run.controls.width + 2 * i + c];
      return [figure("coordinates", control.name, control.unit, curves("value", control.unit, number(1))),
        figure("forces", `Force of ${control.name}`, control.force_unit, curves("force", control.force_unit, number(0)))];
    }
    return [];
  }
}
