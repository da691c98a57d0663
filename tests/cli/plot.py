# SPDX-License-Identifier: Apache-2.0
"""Runs that are compared, and figures of results.

    plot.py --command build/bin/ligament --root . [CLASS...]
"""

import json
import re
import xml.etree.ElementTree as xml

import cli
from cli import BAD_INPUT, OK, SMALL, CommandTest

SVG = "{http://www.w3.org/2000/svg}"


class Compare(CommandTest):
    def compare(self, what, *more):
        return self.call("run", self.write(SMALL), "--out", "out", "--compare", what, *more)

    def test_one_folder_a_run_and_one_page(self):
        done = self.compare("stepper=spook,relaxed")
        self.assertEqual(done.returncode, OK, done.stderr)
        names = ("history.csv", "summary.json", "trajectory.csv")
        self.assertEqual(self.files(), [f"out/relaxed/{name}" for name in names]
                         + ["out/replay.html"] + [f"out/spook/{name}" for name in names]
                         + ["scene.json"])
        for stepper in ("spook", "relaxed"):
            self.assertEqual(self.summary(f"out/{stepper}")["stepper"], stepper)
            self.assertRegex(done.stdout, rf"(?m)^{stepper} .* completed$")
        page = (self.folder / "out/replay.html").read_text(encoding="utf-8")
        self.assertEqual(page.count('class="ligament-run"'), 2)

    def test_any_value_of_the_scene(self):
        done = self.compare("h=1/60,1/120", "--json", "--no-replay")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual([run["h"] for run in json.loads(done.stdout)], [1 / 60, 1 / 120])
        self.assertFalse((self.folder / "out/replay.html").exists())
        done = self.compare("gravity=[0,0,-9.81],[0,0,-1.62]", "--quiet")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_nonsense_is_an_error_before_anything_is_written(self):
        for what, reason in (("stepper", "KEY=VALUE"), ("stepper=spook", "two values"),
                             ("stepper=spook,spook", "twice"), ("stepper=spook,", "empty"),
                             ("stepper=spook,spok", "spok"), ("h=1,2,3,4,5,6,7,8,9", "at most 8"),
                             ("nothing=1,2", "nothing"), ("=1,2", "KEY=VALUE")):
            done = self.compare(what)
            self.assertEqual(done.returncode, BAD_INPUT, what)
            self.assertIn(reason, done.stderr, what)
            self.assertEqual(self.files(), ["scene.json"], what)

    def test_values_make_no_paths(self):
        done = self.compare("name=../../up,.hidden,/etc")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertTrue(all(name.startswith(("out/name-", "out/replay.html", "scene.json"))
                            for name in self.files()), self.files())


class Plot(CommandTest):
    def setUp(self):
        super().setUp()
        done = self.call("run", cli.SCENES / "ladder.json", "--out", "out", "--steps", 30,
                         "--no-replay")
        self.assertEqual(done.returncode, OK, done.stderr)

    def plot(self, *more):
        done = self.call("plot", "out", *more)
        self.assertEqual(done.returncode, OK, done.stderr)
        return [self.folder / line for line in done.stdout.splitlines()]

    def test_curves_are_those_of_the_history(self):
        (path,) = self.plot("--what", "energy")
        root = xml.parse(path).getroot()
        lines = [line for line in root.iter(f"{SVG}polyline")]
        self.assertEqual(len(lines), 3)
        texts = [text.text for text in root.iter(f"{SVG}text")]
        for word in ("Energy", "Energy [J]", "time [s]", "kinetic", "potential", "total", "0"):
            self.assertIn(word, texts)
        # The kinetic energy begins at 0 and ends at its value: against the marks of the axis.
        rows = (self.folder / "out/history.csv").read_text(encoding="utf-8").splitlines()
        final = float(rows[-1].split(",")[1])
        marks = {}
        for text in root.iter(f"{SVG}text"):
            if text.get("class") == "tick" and text.get("text-anchor") == "end":
                marks[float(text.text.replace("\u2212", "-"))] = float(text.get("y")) - 4.0
        low, high = min(marks), max(marks)
        expected = marks[low] + (marks[high] - marks[low]) * (final - low) / (high - low)
        last = [float(x) for x in lines[0].get("points").split()[-1].split(",")]
        self.assertAlmostEqual(last[1], expected, delta=0.05)  # numbers have two decimals

    def test_formats(self):
        self.assertEqual({path.suffix for path in self.plot()}, {".svg"})
        for path in self.plot("--format", "png", "--what", "energy,violation"):
            self.assertEqual(path.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        (page,) = self.plot("--format", "html", "--out", "elsewhere")
        text = page.read_text(encoding="utf-8")
        self.assertEqual(page.parent.name, "elsewhere")
        self.assertGreaterEqual(text.count("<svg"), 3)
        self.assertFalse(re.findall(r'(?:src|href)="(?!data:)', text), "it loads nothing")

    def test_columns_of_the_trajectory(self):
        (path,) = self.plot("--what", "rung 20.z")
        self.assertEqual(path.name, "rung-20.z.svg")

    def test_bad_input(self):
        (self.folder / "empty").mkdir()
        (self.folder / "broken").mkdir()
        (self.folder / "broken/history.csv").write_text("t,kinetic\n1\n", encoding="utf-8")
        before = self.files()
        for arguments, reason in ((["nowhere"], "no such folder"), (["empty"], "history.csv"),
                                  (["broken"], "line 2"), (["out", "--format", "gif"], "gif"),
                                  (["out", "--what", "enrgy"], 'did you mean "energy"'),
                                  (["out", "--what", "rung 20.w"], "rung 20")):
            done = self.call("plot", *arguments)
            self.assertEqual(done.returncode, BAD_INPUT, arguments)
            self.assertIn(reason, done.stderr, arguments)
            self.assertEqual(self.files(), before, arguments)


if __name__ == "__main__":
    cli.main()
