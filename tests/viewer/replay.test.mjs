// SPDX-License-Identifier: Apache-2.0
// Replays in a browser: what the page shows is what the run wrote.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { launch, openPage } from "./browser.mjs";
import { near, pageOf, readCsv, run } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

// Moves the slider as a hand does, to the frame with this number.
async function slideTo(page, frame) {
  await page.locator("#slider").evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, frame);
  await page.waitForFunction(
    (k) => window.ligament.viewer.runs[0].nearestFrame(window.ligament.viewer.time) === k, frame);
}

const frameCount = (page) => page.evaluate(() => window.ligament.viewer.runs[0].frames);

// Positions are drawn from integers on a grid (half a grid off at most) and kept in single
// precision (2⁻²⁴ of their size); the matrices of the drawing are single precision too.
async function checkPositions(page, results, frames, names) {
  const rows = readCsv(join(results, "trajectory.csv"));
  const { grid, steps } = await page.evaluate(() => ({
    grid: window.ligament.viewer.runs[0].header.grid, steps: window.ligament.viewer.runs[0].steps,
  }));
  const every = Math.round(steps[steps.length - 1] / (rows.length - 1));
  let moved = 0;
  for (const frame of frames) {
    await slideTo(page, frame);
    assert.equal(steps[frame] % every, 0, "the trajectory has this step");
    const row = rows[steps[frame] / every];
    for (const name of names) {
      const drawn = await page.evaluate((body) => window.ligament.drawn(body), name);
      ["x", "y", "z"].forEach((axis, c) => {
        const true_ = Number(row[`${name}.${axis}`]);
        const tolerance = grid / 2 + 4 * 2 ** -24 * (Math.abs(true_) + 1);
        assert.ok(near(drawn[c], true_, tolerance), `${name}.${axis} at step ${steps[frame]}: ${drawn[c]}, not ${true_}`);
        moved = Math.max(moved, Math.abs(true_ - Number(rows[0][`${name}.${axis}`])));
      });
    }
  }
  assert.ok(moved > 0.01, "nothing moved: this would have tested nothing");
}

const shown = (page, figure, curve, n = 0) =>
  page.locator(`output[data-figure="${figure}"][data-curve="${curve}"][data-run="${n}"]`)
    .evaluate((element) => Number(element.dataset.value));

describe("the ladder", () => {
  let results, page;
  before(async () => {
    results = run("ladder", "ladder", "--duration", "3");
    page = await openPage(browser, pageOf(results));
  });
  after(() => page?.context().close());

  it("opens without an error and without the network", async () => {
    assert.deepEqual(page.troubles, []);
    assert.equal(await page.locator("#title").textContent(), "ladder");
    assert.equal(await frameCount(page), 181);
  });

  it("moves its bodies with the slider as the trajectory says", () =>
    checkPositions(page, results, [0, 1, 60, 123, 180], ["rung 0", "upper rail 7", "rung 20"]));

  it("shows the quantities of the time of the slider", async () => {
    const rows = readCsv(join(results, "history.csv"));
    for (const frame of [1, 90, 180]) {
      await slideTo(page, frame);
      for (const [figure, curve, column] of [["energy", "kinetic", "kinetic"], ["energy", "total", "total"],
        ["violation", "largest", "violation_max"], ["violation", "root mean square", "violation_rms"],
        ["residual", "largest of a row", "residual"], ["work", "multiply-adds", "work"]]) {
        const value = Number(rows[frame][column]);
        // Single precision.
        assert.ok(near(await shown(page, figure, curve), value, 2 ** -23 * Math.abs(value)), `${column} at ${frame}`);
      }
      assert.equal(await page.locator('figure[data-figure="violation"] .note').textContent(),
        `worst: ${rows[frame].violation_worst}`);
    }
  });

  it("is driven by the keyboard", async () => {
    await page.locator("#canvas").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.ok(near(await page.evaluate(() => window.ligament.viewer.time), 2 / 60, 1e-9));
    await page.keyboard.press("ArrowLeft");
    assert.ok(near(await page.evaluate(() => window.ligament.viewer.time), 1 / 60, 1e-9));
    await page.keyboard.press("End");
    assert.ok(near(await page.evaluate(() => window.ligament.viewer.time), 3, 1e-9));
    await page.keyboard.press("Home");
    await page.keyboard.press(" ");
    await page.waitForFunction(() => window.ligament.viewer.time > 0.05);
    await page.keyboard.press(" ");
    assert.equal(await page.evaluate(() => window.ligament.viewer.playing), false);
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const first = await theme();
    await page.keyboard.press("d");
    assert.notEqual(await theme(), first);
  });

  it("plays to the end and begins again, or stops", async () => {
    await page.evaluate(() => {
      window.ligament.viewer.speed = 10;
      window.ligament.viewer.seek(2.9);
    });
    await page.locator("#play").click();
    await page.waitForFunction(() => window.ligament.viewer.time < 2.5);
    await page.locator("#loop").click();
    await page.waitForFunction(() => !window.ligament.viewer.playing && window.ligament.viewer.time === 3);
  });

  it("colours, trails, joint forces and following change the picture and raise no error", async () => {
    const picture = () => page.locator("#canvas").screenshot().then((png) => png.toString("base64"));
    await slideTo(page, 100);
    const seen = new Set([await picture()]);
    for (const act of [
      () => page.getByLabel("Colours").selectOption("error"),
      () => page.getByLabel("Colours").selectOption("force"),
      () => page.getByLabel("Joint forces").check(),
      () => page.getByLabel("Trails").check(),
      () => page.getByLabel("Follow").selectOption({ label: "rung 20" }),
    ]) {
      await act();
      await page.waitForTimeout(150);
      seen.add(await picture());
    }
    assert.ok(seen.size >= 5, `${seen.size} different pictures`);
    assert.deepEqual(page.troubles, []);
  });

  it("turns, pans and zooms by the mouse, and goes home", async () => {
    await page.evaluate(() => {
      window.ligament.viewer.playing = false;
      window.ligament.viewer.followBody(0);
    });
    await page.locator("#home").click();
    const camera = () => page.evaluate(() => {
      const { camera, controls } = window.ligament.viewer.stage;
      return { eye: camera.position.toArray(), target: controls.target.toArray(),
        far: camera.position.distanceTo(controls.target) };
    });
    const moved = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
    const box = await page.locator("#canvas").boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 3];
    const drag = async (button) => {
      await page.mouse.move(x, y);
      await page.mouse.down({ button });
      await page.mouse.move(x + 120, y + 40, { steps: 4 });
      await page.mouse.up({ button });
      await page.waitForTimeout(1200); // it comes to rest softly
    };
    const home = await camera();
    await drag("left");
    const turned = await camera();
    assert.ok(moved(turned.eye, home.eye) > 0.1 * home.far, "turns");
    assert.ok(moved(turned.target, home.target) < 1e-9 && near(turned.far, home.far, 1e-6 * home.far), "about its target");
    await drag("right");
    const panned = await camera();
    assert.ok(moved(panned.target, turned.target) > 0.01 * home.far, "pans");
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -600);
    await page.waitForTimeout(1200);
    assert.ok((await camera()).far < 0.9 * panned.far, "zooms");
    await page.locator("#canvas").focus();
    await page.keyboard.press("0");
    assert.ok(moved((await camera()).eye, home.eye) < 1e-6 * home.far, "home");
  });

  it("tells how many frames a second it reaches while it plays", async () => {
    await page.evaluate(() => window.ligament.viewer.seek(0));
    await page.locator("#play").click();
    await page.waitForFunction(() => /^\d+ fps$/.test(document.getElementById("rate").textContent));
    await page.locator("#play").click();
    await page.waitForFunction(() => document.getElementById("rate").textContent === "");
  });

  it("tells what is under the pointer", async () => {
    await page.evaluate(() => {
      window.ligament.viewer.followBody(0);
      window.ligament.viewer.seek(0);
      window.ligament.viewer.stage.goHome();
    });
    const target = await page.evaluate(() => {
      const { viewer } = window.ligament;
      const { camera, canvas } = viewer.stage;
      const point = viewer.views[0].bodies.drawnPosition(32);
      camera.updateMatrixWorld();
      point.project(camera);
      const box = canvas.getBoundingClientRect();
      return [box.left + (point.x + 1) / 2 * box.width, box.top + (1 - point.y) / 2 * box.height,
        viewer.runs[0].machine.bodies[32].name];
    });
    await page.mouse.move(target[0], target[1]);
    await page.locator("#tooltip").getByText(target[2]).waitFor();
    assert.match(await page.locator("#tooltip").textContent(), /position.*m.*velocity/);
  });
});

describe("velocities", () => {
  it("are those of the steps, not of the frames", async () => {
    const h = 1 / 600;
    const results = run("pendulum", "pendulum", "--set", "h=1/600", "--set", "every=1", "--duration", "2");
    const page = await openPage(browser, pageOf(results));
    const rows = readCsv(join(results, "trajectory.csv"));
    const { grid, steps, times, velocities, places } = await page.evaluate(() => {
      const run = window.ligament.viewer.runs[0];
      const frames = run.times.map((_, k) => k);
      return { grid: run.header.velocity_grid, steps: run.steps, times: run.times,
        velocities: frames.map((k) => [...run.velocity(1, k)]),
        places: frames.map((k) => [...run.poses.row(k).subarray(0, 3)]) };
    });
    assert.ok(steps[1] > 1, "frames are fewer than steps");
    let worstMean = 0;
    for (let k = 1; k < steps.length; ++k)
      ["x", "y", "z"].forEach((axis, c) => {
        // The step carries the bob with its new velocity: x⁺ = x + h v⁺. Half a grid, and single precision.
        const true_ = (Number(rows[steps[k]][`bob.${axis}`]) - Number(rows[steps[k] - 1][`bob.${axis}`])) / h;
        const tolerance = grid / 2 + 2 ** -23 * Math.abs(true_) + 1e-12 / h;
        assert.ok(near(velocities[k][c], true_, tolerance), `${axis} at step ${steps[k]}: ${velocities[k][c]}, not ${true_}`);
        const mean = (places[k][c] - places[k - 1][c]) / (times[k] - times[k - 1]);
        worstMean = Math.max(worstMean, Math.abs(mean - true_));
      });
    assert.ok(worstMean > 10 * grid, "differences of frames would have done");
    await page.context().close();
  });
});

describe("what the solver left", () => {
  it("colours joints and contacts, by the compliance that history.csv has", async () => {
    for (const [name, sweeps] of [["chain", 10], ["stack", 3]]) {
      const results = run(name, `${name} by sweeps`, "--duration", "1", "--set", "every=1",
        "--set", `solver={"type": "gauss_seidel", "max_sweeps": ${sweeps}}`);
      const rows = readCsv(join(results, "history.csv"));
      const page = await openPage(browser, pageOf(results));
      await slideTo(page, 20);
      const picture = () => page.locator("#canvas").screenshot().then((png) => png.toString("base64"));
      const plain = await picture();
      await page.getByLabel("Colours").selectOption("excess");
      await page.getByText("pushes the wrong way").waitFor();
      assert.notEqual(await picture(), plain);
      const excesses = await page.evaluate(() => {
        const { runs: [replay], views: [view] } = window.ligament.viewer;
        return replay.times.map((_, k) => [...replay.contactsAt(k).map((c) => c.excess),
          ...replay.machine.joints.map((_joint, i) => view.jointMeasure(k, i, "excess"))]);
      });
      let [largest, told, shown] = [0, 0, 0];
      excesses.forEach((values, k) => {
        // Of the row that gives way most, which its joint or contact shows, unless another of its
        // rows is off by more the wrong way. Floats keep 13 bits.
        const true_ = Number(rows[k].excess_compliance);
        largest = Math.max(largest, true_);
        if (true_ > 0) ++told;
        if (true_ > 0 && values.some((value) => near(value, true_, 2 ** -12 * true_))) ++shown;
      });
      assert.ok(told > 30 && shown > 0.8 * told, `${shown} of ${told}`);
      assert.ok(largest > 1e-7, "the sweeps left nothing: this would have tested nothing");
      await page.getByLabel("Colours").selectOption("body");
      assert.deepEqual(page.troubles, []);
      await page.context().close();
    }
  });
});

describe("contacts", () => {
  it("are drawn with forces that carry the weight", async () => {
    const results = run("stack", "stack", "--set", "every=1", "--no-replay");
    assert.throws(() => statSync(join(results, "replay.html")), "--no-replay");
    const shownResults = run("stack", "stack", "--set", "every=1");
    const page = await openPage(browser, pageOf(shownResults));
    await page.locator("#canvas").focus();
    await page.keyboard.press("End");
    // At rest the ground presses up with the weight of all, by Newton.
    const { force, weight } = await page.evaluate(() => {
      const run = window.ligament.viewer.runs[0];
      const k = run.frames - 1;
      const force = run.contactsAt(k).filter((c) => c.bodies.includes(0))
        .reduce((sum, c) => sum + (c.bodies[0] === 0 ? 1 : -1) * c.force[2], 0);
      const weight = run.machine.bodies.reduce((sum, b) => sum + b.mass, 0) * -run.machine.gravity[2];
      return { force, weight };
    });
    // Forces are on a grid of 2⁻¹⁸ of the largest, at most a few dozen of them.
    assert.ok(near(force, weight, 1e-3 * weight), `${force} N, not ${weight} N`);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });

  it("of a pile of 1000 open, and follow the trajectory", async () => {
    const results = run("pile", "pile", "--set", "n=10", "--set", "layers=10", "--duration", "0.5", "--set", "every=1");
    const page = await openPage(browser, pageOf(results));
    assert.equal(await page.evaluate(() => window.ligament.viewer.runs[0].bodies), 1000);
    await checkPositions(page, results, [0, 7, 30], ["ball 0 0 0", "ball 9 9 9", "ball 4 5 6"]);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
});

describe("two runs", () => {
  it("lie on top of each other or side by side, each with its curves", async () => {
    const results = run("ladder", "compared", "--compare", "stepper=spook,relaxed", "--duration", "1");
    const page = await openPage(browser, pageOf(results));
    await slideTo(page, 50);
    const last = "rung 20";
    for (const [n, name] of [[0, "spook"], [1, "relaxed"]]) {
      const row = readCsv(join(results, name, "trajectory.csv"))[50];
      const drawn = await page.evaluate(([body, r]) => window.ligament.drawn(body, r), [last, n]);
      assert.ok(near(drawn[2], Number(row[`${last}.z`]), 1e-4), name);
      const total = Number(readCsv(join(results, name, "history.csv"))[50].total);
      assert.ok(near(await shown(page, "energy", `total · ${name}`, n), total, 2 ** -23 * Math.abs(total)), name);
    }
    const distance = () => page.evaluate(() => {
      const [a, b] = window.ligament.viewer.views.map((view) => view.group.position);
      return a.distanceTo(b);
    });
    assert.equal(await distance(), 0);
    await page.getByLabel("Arranged").selectOption("side");
    assert.ok(await distance() > 1);
    await page.getByLabel("relaxed").uncheck();
    assert.equal(await page.evaluate(() => window.ligament.viewer.views[1].group.visible), false);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
});

describe("a phone", () => {
  it("has everything within its width, in the dark too", async () => {
    const page = await openPage(browser, pageOf(run("robot_arm", "arm", "--duration", "1")),
      { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true, isMobile: true });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.locator("#panel-button").tap();
    await page.getByLabel("Colours").selectOption("speed");
    const wide = await page.evaluate(() => [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.id || element.className));
    assert.deepEqual(wide, []);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
});
