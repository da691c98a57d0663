// SPDX-License-Identifier: Apache-2.0
// Small helpers to make elements.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

export const find = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;

// Four digits, with an exponent where that is shorter: 12.35, 1.235e-7.
export function format(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return `${mantissa.replace("-", "−")}e${exponent.replace("+", "").replace("-", "−")}`;
  }
  const rounded = value.toPrecision(digits);
  return (rounded.includes("e") ? String(Number(rounded)) : rounded).replace("-", "−");
}

// Without zeros at the end: 0.002, 0.0166667.
export const shortest = (value: number, digits = 6) => String(Number(value.toPrecision(digits)));

// Icons are drawn: not every system has letters for them.
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}
export const icons = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M4 2.5h3v11H4zM9.5 2.5h3v11h-3z",
  first: "M3 2.5h2v11H3zM13.5 2.5v11L6 8z",
  back: "M11 2.5v11L4 8z",
  forward: "M5 2.5v11L12 8z",
  loop: "M8 2.5a5.5 5.5 0 1 0 5.3 4h-1.9a3.7 3.7 0 1 1-3.4-2.2v2L12 3.4 8 .5z",
  sun: "M8 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM7.3 0h1.4v2.6H7.3zM7.3 13.4h1.4V16H7.3zM0 7.3h2.6v1.4H0zM13.4 7.3H16v1.4h-2.6zM1.8 2.8l1-1 1.9 1.9-1 1zM11.3 12.3l1-1 1.9 1.9-1 1zM12.3 4.7l-1-1 1.9-1.9 1 1zM2.8 14.2l-1-1 1.9-1.9 1 1z",
  moon: "M6 1.5a6.5 6.5 0 1 0 8.5 8.5A6.5 6.5 0 0 1 6 1.5z",
};

export function checkbox(label: string, checked: boolean, change: (on: boolean) => void): HTMLElement {
  const box = make("input", { type: "checkbox" });
  box.checked = checked;
  box.addEventListener("change", () => change(box.checked));
  return make("label", { class: "check" }, box, label);
}

export function select(label: string, options: [string, string][], value: string,
  change: (value: string) => void): HTMLElement {
  const list = make("select", { "aria-label": label });
  for (const [key, text] of options) list.append(make("option", { value: key }, text));
  list.value = value;
  list.addEventListener("change", () => change(list.value));
  return make("label", { class: "field" }, make("span", {}, label), list);
}

export function slider(label: string, value: number, range: [number, number],
  change: (value: number) => void): HTMLElement {
  const input = make("input", { type: "range", min: range[0], max: range[1], step: "any" });
  input.value = String(value);
  input.addEventListener("input", () => change(Number(input.value)));
  return make("label", { class: "field" }, make("span", {}, label), input);
}
