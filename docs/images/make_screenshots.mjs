// SPDX-License-Identifier: Apache-2.0
// Makes the pictures of README.md: node docs/images/make_screenshots.mjs [COMMAND]
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage } from "../../tests/viewer/browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const command = process.argv[2] ?? join(root, "build/bin/ligament");
const folder = mkdtempSync(join(tmpdir(), "ligament-screenshots-"));

// Name of the picture, scene with arguments, theme, time [s], and what to set in the view.
const pictures = [
  ["replay-light", ["ladder"], "light", 1.45, { colouring: "speed", trails: true }],
  ["replay-dark", ["ladder"], "dark", 1.45, { colouring: "speed", trails: true }],
  ["replay-pile", ["pile", "--set", "n=4", "--set", "layers=5"], "dark", 1.2, {}],
];

const browser = await launch();
try {
  for (const [name, [scene, ...rest], theme, time, look] of pictures) {
    const out = join(folder, name);
    execFileSync(command, ["run", join(root, "scenes", `${scene}.json`), "--quiet", "--out", out, ...rest]);
    const page = await openPage(browser, pathToFileURL(join(out, "replay.html")).href,
      { colorScheme: theme, viewport: { width: 1200, height: 760 } });
    await page.evaluate(([t, settings]) => {
      const { viewer } = window.ligament;
      Object.assign(viewer.look, settings);
      viewer.seek(t);
    }, [time, look]);
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(root, "docs/images", `${name}.png`) });
    if (page.troubles.length > 0) throw new Error(page.troubles.join("\n"));
    await page.context().close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
