// SPDX-License-Identifier: Apache-2.0
// The live view: what browsers order is what the simulation does, and nobody can harm it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { launch, openPage } from "./browser.mjs";
import { command, near, scene } from "./support.mjs";

// A server that runs, with its address.
async function serve(name, port = "0") {
  const server = spawn(command, ["view", scene(name), "--port", port]);
  let text = "";
  await new Promise((resolve, reject) => {
    server.stdout.on("data", (data) => {
      text += data;
      if (/http:\S+/.test(text)) resolve();
    });
    server.on("exit", () => reject(new Error(`it ended: ${text}`)));
  });
  server.url = text.match(/http:\S+/)[0];
  server.ended = new Promise((resolve) => server.on("exit", (code, signal) => resolve({ code, signal })));
  return server;
}

async function order(server, body, headers = {}) {
  const response = await fetch(`${server.url}orders`, {
    method: "POST", headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { code: response.status, ...(await response.json()) };
}

const state = async (server) => (await fetch(`${server.url}state`)).json();
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

describe("orders", () => {
  let server;
  before(async () => (server = await serve("robot_arm")));
  after(() => server?.kill("SIGKILL"));

  it("step, play, pause and reset act on the state", async () => {
    const start = await state(server);
    assert.equal(start.step, 0);
    assert.equal((await order(server, { do: "step" })).step, 1);
    assert.equal((await order(server, { do: "step", count: 49 })).step, 50);
    assert.ok(near((await state(server)).t, 0.1, 1e-12));
    await order(server, { do: "play" });
    await sleep(700);
    const { t } = await order(server, { do: "pause" });
    assert.ok(t > 0.3, `${t} s`);
    await sleep(200);
    assert.equal((await state(server)).t, t, "a pause is a pause");
    await order(server, { do: "reset" });
    assert.deepEqual(await state(server), start);
  });

  it("take the words of the scene file, and keep the machine as it is", async () => {
    await order(server, { do: "reset" });
    const changed = await order(server, { do: "stepper", value: { type: "relaxed", h: "1/1000" } });
    assert.equal(changed.stepper, "relaxed");
    assert.ok(near(changed.h, 1e-3, 1e-15));
    assert.ok(near((await order(server, { do: "step", count: 10 })).t, 0.01, 1e-12));
    assert.deepEqual((await order(server, { do: "gravity", value: [0, 0, -1.62] })).gravity, [0, 0, -1.62]);
    const machine = (await (await fetch(`${server.url}scene`)).json()).machine;
    const drive = machine.controls.findIndex((c) => c.name === "shoulder drive");
    const aimed = await order(server, { do: "target", control: "shoulder drive", value: 0.3 });
    assert.equal(aimed.targets[drive], 0.3);
    // The servo goes where it is told: 0.3 rad lift the centre of the upper arm, 0.25 m from the
    // shoulder at 0.4 m, to 0.4 + 0.25 sin 0.3. Its stiffness of 20 kN m/rad gives way to the weight
    // on the moon, below 60 N m, by less than 3 mrad, of which half have died out after a second.
    await order(server, { do: "step", count: 2000 });
    const z = (await state(server)).bodies["upper arm"][2];
    assert.ok(near(z, 0.4 + 0.25 * Math.sin(0.3), 0.25 * 6e-3), `${z} m`);
  });

  it("that make no sense are refused with a reason, and change nothing", async () => {
    const before = await state(server);
    for (const [wrong, reason] of [
      ["garbage", /JSON/], ["[1]", /JSON/], ["{}", /do/], [{ do: "jump" }, /unknown order "jump"/],
      [{ do: "step", count: 0.5 }, /whole number/], [{ do: "step", count: 1e9 }, /10000/],
      [{ do: "gravity", value: [1, 2] }, /three numbers/], [{ do: "gravity", value: [1, 2, "x"] }, /number/],
      [{ do: "stepper", value: { type: "spok" } }, /spook/], [{ do: "stepper", value: { h: -1 } }, /h/],
      [{ do: "stepper" }, /value/], [{ do: "target", control: "nobody", value: 1 }, /nobody/],
      [{ do: "target", control: "belt", value: 1 }, /lock/], [{ do: "drag", body: "world", target: [0, 0, 0] }, /fixed/],
      [{ do: "drag", body: "ghost", target: [0, 0, 0] }, /ghost/], [{ do: "speed", value: 0 }, /speed/],
      ['{"do": "gravity", "value": [1e999, 0, 0]}', /JSON/],
    ]) {
      const answer = await order(server, wrong);
      assert.equal(answer.code, 400, JSON.stringify(wrong));
      assert.match(answer.error, reason, JSON.stringify(wrong));
    }
    assert.deepEqual(await state(server), before);
  });

  it("of other sites, other types and other hosts are refused", async () => {
    assert.equal((await order(server, { do: "step" }, { Origin: "http://elsewhere.example" })).code, 403);
    assert.equal((await order(server, { do: "step" }, { "Content-Type": "text/plain" })).code, 415);
    const { port } = new URL(server.url);
    const status = await new Promise((resolve) => request(
      { port, host: "127.0.0.1", path: "/state", headers: { Host: "rebound.example" } },
      (response) => resolve(response.statusCode)).end());
    assert.equal(status, 403);
  });

  // What was refused must be read to its end: its rest is not the next order.
  it("are taken on a connection whose last one was refused", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { port } = new URL(server.url);
    const give = (headers) => new Promise((resolve, reject) => {
      const sent = request({ agent, port, host: "127.0.0.1", path: "/orders", method: "POST",
        headers: { "Content-Type": "application/json", ...headers } }, (response) => {
        let text = "";
        response.on("data", (data) => (text += data));
        response.on("end", () => resolve({ code: response.statusCode, reused: sent.reusedSocket, text }));
      });
      sent.on("error", reject);
      sent.end('{"do": "pause"}');
    });
    assert.equal((await give({ Origin: "http://elsewhere.example" })).code, 403);
    const next = await give({});
    assert.equal(next.code, 200);
    assert.ok(next.reused, "it was the same connection");
    assert.equal(JSON.parse(next.text).playing, false);
    agent.destroy();
  });

  it("are still taken after garbage, broken connections and long bodies", async () => {
    const { port } = new URL(server.url);
    const send = (bytes) => new Promise((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes, () => setTimeout(() => {
        socket.destroy();
        resolve();
      }, 20)));
      socket.on("error", resolve);
    });
    await send("\0\xff\x01 garbage \r\n\r\n");
    await send("POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n{");
    await send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"); // watches, and leaves at once
    await send(`GET /${"x".repeat(20000)} HTTP/1.1\r\n\r\n`);
    await order(server, `{"do": "${"x".repeat(200000)}"}`).catch(() => {});
    const { step } = await state(server);
    assert.equal((await order(server, { do: "step" })).step, step + 1);
  });
});

describe("a hand", () => {
  it("holds a body against its weight by a spring", async () => {
    const server = await serve("pendulum");
    const machine = (await (await fetch(`${server.url}scene`)).json()).machine;
    const body = machine.bodies[1];
    const at = (await state(server)).bodies[body.name].slice(0, 3);
    const target = [at[0], at[1], at[2] + 0.2];
    const { hand } = await order(server, { do: "drag", body: body.name, point: [0, 0, 0], target });
    // Pulls with stiffness times distance, at rest.
    assert.ok(near(hand.force[2], 0.2 * hand.stiffness, 1e-9 * hand.stiffness));
    await order(server, { do: "step", count: 20 });
    const held = (await state(server)).bodies[body.name];
    await order(server, { do: "reset" });
    await order(server, { do: "step", count: 20 });
    const free = (await state(server)).bodies[body.name];
    assert.ok(held[2] > free[2] + 1e-3, `${held[2]} m held, ${free[2]} m free`);
    assert.equal((await order(server, { do: "release" })).hand, null);
    server.kill("SIGKILL");
  });
});

describe("browsers", () => {
  let browser, server;
  before(async () => {
    browser = await launch();
    server = await serve("robot_arm");
  });
  after(async () => {
    await browser?.close();
    server?.kill("SIGKILL");
  });
  const open = () => openPage(browser, server.url, { allowed: server.url });
  const step = (page) => page.evaluate(() => {
    const run = window.ligament.viewer.runs[0];
    return run.steps[run.frames - 1];
  });

  it("steer the simulation, and all see the same", async () => {
    const [page, other] = [await open(), await open()];
    await page.locator("#live-step").click();
    for (const each of [page, other])
      await each.waitForFunction(() => window.ligament.viewer.runs[0].steps.at(-1) === 1);
    await page.locator("#live-play").click();
    await other.locator("#live-play").getByText("Pause").waitFor();
    await other.waitForFunction(() => window.ligament.viewer.runs[0].frames > 10);
    await page.locator("#live-cost").getByText("real time").waitFor();
    await other.locator("#live-play").click();
    await page.locator("#live-play").getByText("Run").waitFor();
    const { step: now, bodies } = await state(server);
    await page.waitForFunction((k) => window.ligament.viewer.runs[0].steps.at(-1) === k, now);
    assert.equal(await step(other), now);
    const drawn = await page.evaluate(() => window.ligament.drawn("gripper"));
    drawn.forEach((x, i) => assert.ok(near(x, bodies.gripper[i], 1e-6), "single precision"));
    await page.getByLabel("Stepper").selectOption("relaxed");
    for (let i = 0; i < 50 && (await order(server, { do: "pause" })).stepper !== "relaxed"; ++i) await sleep(50);
    assert.equal((await order(server, { do: "pause" })).stepper, "relaxed");
    await page.locator("#live-reset").click();
    await other.waitForFunction(() => window.ligament.viewer.runs[0].steps.at(-1) === 0);
    assert.deepEqual(page.troubles, []);
    assert.deepEqual(other.troubles, []);
    await other.context().close();
    await page.context().close();
    assert.equal((await order(server, { do: "step" })).step, 1, "those who left harm nothing");
  });

  it("drag a body with the mouse", async () => {
    await order(server, { do: "reset" });
    const page = await open();
    const [x, y] = await page.evaluate(() => {
      const { viewer } = window.ligament;
      const { camera, canvas } = viewer.stage;
      const gripper = viewer.runs[0].machine.bodies.findIndex((b) => b.name === "gripper");
      const point = viewer.views[0].bodies.drawnPosition(gripper);
      camera.updateMatrixWorld();
      point.project(camera);
      const box = canvas.getBoundingClientRect();
      return [box.left + (point.x + 1) / 2 * box.width, box.top + (1 - point.y) / 2 * box.height];
    });
    await page.keyboard.down("Shift");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.locator("#hand").waitFor();
    await page.mouse.move(x, y - 80, { steps: 4 });
    await page.waitForFunction(() => /pulls with [1-9]/.test(document.getElementById("hand").textContent));
    const { hand } = await order(server, { do: "pause" });
    assert.ok(hand.target[2] > hand.grip[2] + 0.02, "the mouse went up");
    const height = (await state(server)).bodies.gripper[2];
    await order(server, { do: "step", count: 100 });
    const pulled = (await state(server)).bodies.gripper[2];
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await page.locator("#hand").waitFor({ state: "hidden" });
    // The same steps without a hand.
    await order(server, { do: "reset" });
    await order(server, { do: "step", count: 100 });
    const free = (await state(server)).bodies.gripper[2];
    assert.ok(pulled > free + 1e-4, `from ${height} m to ${pulled} m, without a hand ${free} m`);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
});

describe("the end", () => {
  it("comes by Ctrl-C at once, with browsers watching, and frees the port", async () => {
    const server = await serve("ladder");
    const watching = await fetch(`${server.url}events`);
    const reader = watching.body.getReader();
    await reader.read();
    await order(server, { do: "play" });
    const from = Date.now();
    server.kill("SIGINT");
    const { code, signal } = await server.ended;
    assert.equal(code, 0, `signal ${signal}`);
    assert.ok(Date.now() - from < 20000, "an end is no matter of minutes, even under instruments");
    await reader.cancel().catch(() => {});
    const again = await serve("ladder", new URL(server.url).port);
    again.kill("SIGINT");
    assert.equal((await again.ended).code, 0);
  });

  it("comes at once if the port is busy, with a reason", async () => {
    const server = await serve("pendulum");
    const second = spawn(command, ["view", scene("pendulum"), "--port", new URL(server.url).port]);
    let text = "";
    second.stderr.on("data", (data) => (text += data));
    const code = await new Promise((resolve) => second.on("exit", resolve));
    assert.equal(code, 2);
    assert.match(text, /port \d+ is busy/);
    server.kill("SIGKILL");
  });
});
