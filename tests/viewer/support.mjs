// SPDX-License-Identifier: Apache-2.0
// Runs the command in a folder of its own, and reads what it left.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// What hangs ends, and says what it waits for.
const longest = 300_000;  // [ms] of a file of tests
setTimeout(() => {
  console.error(`nothing has ended for ${longest / 1000} s; open: ${process.getActiveResourcesInfo()}`);
  process.exit(1);
}, longest).unref();

export const command = process.env.LIGAMENT_COMMAND;
export const scene = (name) => fileURLToPath(new URL(`../../scenes/${name}.json`, import.meta.url));

export const folder = mkdtempSync(join(tmpdir(), "ligament-viewer-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

// Simulates a scene; the rest are further arguments. Returns the folder of the results.
export function run(name, out, ...rest) {
  const to = join(folder, out);
  execFileSync(command, ["run", scene(name), "--out", to, "--quiet", ...rest]);
  return to;
}

export const pageOf = (results) => pathToFileURL(join(results, "replay.html")).href;

// Lines of a CSV file as objects. The names of our scenes need no quotes in the middle of a field.
export function readCsv(file) {
  const split = (line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(,|$)/g)].slice(0, -1)
    .map((match) => match[1].replace(/^"|"$/g, "").replaceAll('""', '"'));
  const [header, ...lines] = readFileSync(file, "utf-8").trimEnd().split("\n");
  const names = header.split(",");
  return lines.map((line) => {
    const fields = line.includes('"') ? split(line) : line.split(",");
    return Object.fromEntries(names.map((name, i) => [name, fields[i]]));
  });
}

export const near = (a, b, tolerance) => Math.abs(a - b) <= tolerance;
