// SPDX-License-Identifier: Apache-2.0
// The keyboard, and light and dark.
import type { Viewer } from "../viewer";
import { find, icon, icons } from "./dom";
import type { Plots } from "./plots";
import type { Transport } from "./transport";

export function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  find("theme").replaceChildren(icon(theme === "dark" ? icons.sun : icons.moon));
}

export function startTheme(): void {
  const asked = new URLSearchParams(location.search).get("theme") ?? location.hash.slice(1);
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  setTheme(asked === "dark" || asked === "light" ? asked : system);
}

export function connectTheme(viewer: Viewer, plots: Plots): () => void {
  const toggle = () => {
    setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    viewer.stage.applyTheme();
    plots.build();
    viewer.changed();
  };
  find("theme").addEventListener("click", toggle);
  return toggle;
}

export function togglePanel(): void {
  const open = document.body.classList.toggle("panel-open");
  find("panel-button").setAttribute("aria-expanded", String(open));
}

export function connectKeys(viewer: Viewer, transport: Transport, toggleTheme: () => void): void {
  const flip = (key: "joints" | "contacts" | "reactions" | "trails") => {
    viewer.look[key] = !viewer.look[key];
    viewer.changed();
  };
  const tenth = () => (viewer.end - viewer.start) / 10;
  const actions: Record<string, (shift: boolean) => void> = {
    " ": () => viewer.play(!viewer.playing),
    ArrowLeft: (shift) => (shift ? viewer.seek(viewer.time - tenth()) : viewer.stepFrames(-1)),
    ArrowRight: (shift) => (shift ? viewer.seek(viewer.time + tenth()) : viewer.stepFrames(1)),
    Home: () => viewer.seek(viewer.start),
    End: () => viewer.seek(viewer.end),
    0: () => viewer.stage.frame(),
    j: () => flip("joints"), c: () => flip("contacts"), f: () => flip("reactions"), t: () => flip("trails"),
    l: () => transport.toggleLoop(), d: toggleTheme, p: togglePanel,
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (/^(SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const input = target.tagName === "INPUT" ? (target as HTMLInputElement).type : "";
    if (input === "text" || input === "number" || (input === "checkbox" && event.key === " ")) return;
    if (target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter")) return;
    if (input === "range" && target.id !== "slider" && event.key.startsWith("Arrow")) return;
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act(event.shiftKey);
  });
}
