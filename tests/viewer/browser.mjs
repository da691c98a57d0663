// SPDX-License-Identifier: Apache-2.0
// A headless Chromium that counts what goes wrong: errors on the console and requests to the
// network. Playwright comes from the packages of the page.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const viewer = fileURLToPath(new URL("../../viewer/", import.meta.url));
const { chromium } = createRequire(viewer)("playwright-core");

const executable = [process.env.LIGAMENT_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"].find((path) => path && existsSync(path));

export async function launch() {
  if (!executable) throw new Error("there is no Chromium: set LIGAMENT_CHROMIUM to its path");
  return chromium.launch({
    executablePath: executable,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--no-first-run", "--use-gl=angle",
      "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"],
  });
}

// A page with `troubles`, a list of what went wrong so far. `allowed` is the origin that it may talk
// to, none for a file. GPU stalls are said of software rendering and are no trouble of ours.
export async function openPage(browser, url, { allowed = null, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 }, reducedMotion: "reduce", ...options,
  });
  const page = await context.newPage();
  page.troubles = [];
  page.setDefaultTimeout(60_000);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text()))
      page.troubles.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => page.troubles.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const target = request.url();
    const fine = target === url || /^(data|blob):/.test(target) || (allowed && target.startsWith(allowed));
    if (!fine) page.troubles.push(`request: ${target}`);
  });
  await page.goto(url);
  await page.waitForFunction(() => window.ligament !== undefined || document.querySelector("#notice.bad"));
  return page;
}
