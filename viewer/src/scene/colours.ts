// SPDX-License-Identifier: Apache-2.0
// Colours that people with any colour vision can tell apart: those of Okabe and Ito for kinds, and
// viridis for sizes.
import { Color } from "three";

export const palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];
export const runColours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"];

// Of what feeds energy: not a colour of viridis.
export const wrongWayColour = "#d55e00";

export function isDark(): boolean {
  return document.documentElement.dataset.theme === "dark";
}

// Of a colour of the style sheet: "--ink".
export function themeColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// Viridis by polynomials of the sixth degree (fit by M. Zucker), s from 0 to 1.
const c = [
  [0.2777273272, 0.0054073445, 0.3340998053],
  [0.1050930431, 1.4046135299, 1.3845901626],
  [-0.3308618287, 0.2148475595, 0.0950951630],
  [-4.6342304983, -5.7991009734, -19.3324409563],
  [6.2282699363, 14.1799333668, 56.6905526007],
  [4.7763849974, -13.7451453777, -65.3530326334],
  [-5.4354558559, 4.6458526122, 26.3124352496],
];

function makeViridis(least: number): Color[] {
  return Array.from({ length: 256 }, (_, i) => {
    const x = least + ((1 - least) * i) / 255;
    const channel = (n: number) => c.reduceRight((sum, row) => sum * x + row[n], 0);
    return new Color().setRGB(channel(0), channel(1), channel(2), "srgb");
  });
}
// Its darkest part cannot be seen on a dark page.
const viridisOf = { light: makeViridis(0), dark: makeViridis(0.2) };

export function viridis(s: number, out = new Color()): Color {
  const table = isDark() ? viridisOf.dark : viridisOf.light;
  return out.copy(table[Math.round(255 * Math.min(1, Math.max(0, s || 0)))]);
}

// The colour of body i of its own.
export function bodyColour(i: number, fixed: boolean, out = new Color()): Color {
  if (fixed) return out.set(isDark() ? "#7d8590" : "#9aa3ad");
  out.set(palette[i % palette.length]);
  // Neighbours with the same hue differ a little in lightness.
  const shade = 0.06 * (((i * 7) % 5) / 2 - 1);
  return out.offsetHSL(0, -0.08, shade + (isDark() ? 0.06 : 0.04));
}
