// SPDX-License-Identifier: Apache-2.0
// Orders by buttons and fields: start, pause, step, reset, method, gravity, targets.
import type { Viewer } from "../viewer";
import { find, format, icon, icons, make, select } from "../ui/dom";
import { sendOrder } from "./live";
import type { Order, Status } from "./orders";

export class LiveControls {
  private status: Status | null = null;
  private readonly numbers = new Map<string, HTMLInputElement>();
  private readonly play: HTMLButtonElement;
  private readonly cost = make("span", { id: "live-cost" });
  private readonly stepper: HTMLSelectElement;
  private readonly solver: HTMLSelectElement;

  constructor(private readonly viewer: Viewer, steppers: string[], solvers: string[]) {
    const button = (id: string, label: string, act: () => void, ...content: Node[]) =>
      make("button", { id, type: "button", title: label, click: act }, ...content, label);
    this.play = button("live-play", "Run", () => this.give({ do: this.status?.playing ? "pause" : "play" }));
    const method = (label: string, names: string[]) => {
      const field = select(label, names.map((name) => [name, name.replaceAll("_", " ")]), names[0],
        () => this.giveStepper());
      return [field, field.querySelector("select")!] as const;
    };
    const [stepperField, stepper] = method("Stepper", steppers);
    const [solverField, solver] = method("Solver", solvers);
    this.stepper = stepper;
    this.solver = solver;
    const section = make("section", { id: "live" }, make("h2", {}, "Simulation"),
      make("div", { class: "buttons" }, this.play,
        button("live-step", "Step", () => this.give({ do: "step" })),
        button("live-reset", "Reset", () => this.give({ do: "reset" }))),
      this.cost, stepperField, solverField,
      this.number("h", "h [s]", () => this.giveStepper()),
      select("Speed of time", ["0.05", "0.1", "0.25", "0.5", "1", "2", "5"].map((s) => [s, `${s} ×`]), "1",
        (value) => this.give({ do: "speed", value: Number(value) })),
      this.gravityFields(), ...this.targetFields(),
      make("p", { class: "hint" }, "Shift and drag pulls a body by a spring."));
    find("panel").prepend(section);
    this.moveTransport();
  }

  // The space bar and the large button steer the simulation; the slider goes back in time.
  private moveTransport(): void {
    const { viewer } = this;
    viewer.play = (on) => this.give({ do: on ? "play" : "pause" });
    for (const id of ["loop"]) find(id).hidden = true;
    find("transport").querySelector<HTMLElement>(".field")!.hidden = true;
    const forward = viewer.stepFrames.bind(viewer);
    viewer.stepFrames = (count) => {
      if (count > 0 && viewer.time >= viewer.end - 1e-9) this.give({ do: "step", count });
      else forward(count);
    };
  }

  private number(key: string, label: string, change: (value: number) => void): HTMLElement {
    const input = make("input", { type: "number", step: "any", "aria-label": label, id: `live-${key}` });
    input.addEventListener("change", () => {
      if (input.value !== "") change(Number(input.value));
    });
    this.numbers.set(key, input);
    return make("label", { class: "field" }, make("span", {}, label), input);
  }

  private gravityFields(): HTMLElement {
    const axes = ["x", "y", "z"];
    const give = () => this.give({
      do: "gravity", value: axes.map((a) => Number(this.numbers.get(`gravity-${a}`)!.value)) as [number, number, number],
    });
    return make("fieldset", {}, make("legend", {}, "Gravity [m/s²]"),
      ...axes.map((a) => this.number(`gravity-${a}`, a, give)));
  }

  private targetFields(): HTMLElement[] {
    const { controls } = this.viewer.runs[0].machine;
    return controls.flatMap((control, i) => {
      if (control.kind !== "motor" && control.kind !== "servo") return [];
      const unit = control.kind === "motor" ? `${control.unit}/s` : control.unit;
      return [this.number(`target-${i}`, `${control.name} [${unit}]`, (value) =>
        this.give({ do: "target", control: control.name, value }))];
    });
  }

  private giveStepper(): void {
    this.give({ do: "stepper", value: {
      type: this.stepper.value, solver: this.solver.value, h: Number(this.numbers.get("h")!.value),
    } });
  }

  private give(order: Order): void {
    sendOrder(order).then((status) => this.show(status), (error: Error) => {
      this.tell(error.message);
      if (this.status) this.show({ ...this.status });
    });
  }

  private tell(text: string): void {
    find("notice").textContent = text;
    find("notice").classList.toggle("bad", text !== "");
  }

  lost(): void {
    this.tell("the simulation is gone");
  }
  found(): void {
    this.tell("");
  }

  show(status: Status): void {
    const before = this.status;
    this.status = status;
    this.viewer.playing = status.playing;
    if (before?.playing !== status.playing)
      this.play.replaceChildren(icon(status.playing ? icons.pause : icons.play), status.playing ? "Pause" : "Run");
    this.cost.textContent = `${status.playing ? `${format(status.real_time, 3)} × real time · ` : ""}` +
      `${format(1e6 * status.step_cost, 3)} µs a step`;
    const put = (input: HTMLInputElement | HTMLSelectElement, value: string) => {
      if (document.activeElement !== input && input.value !== value) input.value = value;
    };
    put(this.stepper, status.stepper);
    put(this.solver, status.solver);
    put(this.numbers.get("h")!, String(status.h));
    ["x", "y", "z"].forEach((a, i) => put(this.numbers.get(`gravity-${a}`)!, String(status.gravity[i])));
    status.targets.forEach((target, i) => {
      const input = this.numbers.get(`target-${i}`);
      if (input) put(input, String(+target.toPrecision(6)));
    });
    if (status.failure) this.tell(status.failure);
    else if (before?.failure) this.tell("");
  }
}
