// SPDX-License-Identifier: Apache-2.0
// What a frame costs the page. The frame rate that one sees depends on the graphics processor, and
// tests have none. What the page itself does can be measured anywhere: unpack, move, hand over.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { launch, openPage } from "./browser.mjs";
import { command, folder, pageOf, run } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

// Plays a recording frame by frame, all its settings at their most expensive. Triangles are thrown
// away before they become pixels, and between two frames it waits until the last one is through: so
// the page never waits for the rasterizer, which is a program here and slow.
const playFrames = (page, count, colouring) => page.evaluate(([n, by]) => {
  const { viewer, frame } = window.ligament;
  const gl = viewer.stage.renderer.getContext();
  const pixel = new Uint8Array(4);
  gl.enable(gl.RASTERIZER_DISCARD);
  Object.assign(viewer.look, { colouring: by, reactions: true, trails: true });
  viewer.seek(viewer.start + 0.4 * (viewer.end - viewer.start));
  viewer.playing = true;
  const costs = [];
  for (let i = 0; i < n; ++i) {
    costs.push(frame(1 / 60));
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  }
  viewer.playing = false;
  return costs;
}, [count, colouring]);

const quantile = (values, share) => values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

async function measure(results, count, colouring) {
  const page = await openPage(browser, pageOf(results), { viewport: { width: 480, height: 640 } });
  const costs = await playFrames(page, count, colouring);
  assert.ok(costs.every((cost) => cost.drawn), "every frame was drawn");
  const contacts = await page.evaluate(() => Math.max(...window.ligament.viewer.runs[0].allContacts));
  assert.deepEqual(page.troubles, []);
  await page.context().close();
  const times = (key) => [0.25, 0.5, 0.95].map((share) => quantile(costs.map((cost) => cost[key]), share));
  return { update: times("update"), submit: times("submit"), calls: Math.max(...costs.map((cost) => cost.calls)), contacts };
}

const tell = (what, { update, submit, calls }) => {
  const list = (times) => times.map((t) => t.toFixed(2)).join(", ");
  console.log(`${what}: update ${list(update)} ms, submission ${list(submit)} ms (quarter, median, 95 %), ${calls} draw calls`);
};

describe("a frame", () => {
  it("of a pile of 1000 takes the page less than half of 1/60 s", async () => {
    const results = run("pile", "pile", "--set", "n=10", "--set", "layers=10", "--duration", "2");
    for (const colouring of ["body", "force"]) {
      const cost = await measure(results, 30, colouring);
      tell(`1000 balls, colours by ${colouring}`, cost);
      assert.ok(cost.contacts > 400, "the pile presses");
      // The quarter of the frames that other programs disturbed least: 8 of the 16.7 ms.
      assert.ok(cost.update[0] + cost.submit[0] < 8, `${cost.update[0]} + ${cost.submit[0]} ms`);
    }
  });

  it("has as many draw calls for 1000 bodies as for 27, whatever their sizes", async () => {
    const box = (n) => {
      const file = join(folder, `boxes${n}.json`);
      const shapes = [
        { type: "box", half: ["0.1 + 0.05*sin(i)", 0.1, "0.1 + 0.04*cos(2*i)"], density: 500 },
        { type: "capsule", radius: "0.03 + 0.01*sin(3*i)", half_length: "0.1 + 0.02*sin(5*i)", density: 500 },
        { type: "cylinder", radius: "0.05 + 0.02*sin(i)", half_length: "0.1 + 0.02*cos(i)", density: 500 },
        { type: "sphere", radius: "0.08 + 0.02*sin(7*i)", density: 500 },
      ];
      writeFileSync(file, JSON.stringify({
        ligament: 1, name: `boxes${n}`, bodies: [{ repeat: { index: "i", count: n }, items: [
          { name: "body {i}", position: ["i", 0, 0], shapes }] }],
        stepper: { type: "spook", h: "1/60" }, run: { duration: 0.5 },
      }));
      execFileSync(command, ["run", file, "--out", join(folder, `boxes${n}`), "--quiet"]);
      return join(folder, `boxes${n}`);
    };
    const few = await measure(box(27), 3, "body");
    const many = await measure(box(1000), 3, "body");
    tell("27 bodies of 108 shapes", few);
    tell("1000 bodies of 4000 shapes", many);
    // Trails are lines of their own, one of each of the first 80 bodies.
    assert.equal(many.calls - 80, few.calls - 27);
    assert.ok(many.calls - 80 <= 12, `${many.calls} draw calls`);
  });
});
