# SPDX-License-Identifier: Apache-2.0
"""The papers, reproduced: names, files, verdicts.

    papers.py --command build/bin/ligament --root . [CLASS...]
"""

import json
import re
import xml.etree.ElementTree as xml

import cli
from cli import BAD_INPUT, OK, CommandTest

EXPERIMENT = "relaxed-2005/pendulum"
SVG = "{http://www.w3.org/2000/svg}"
FIELDS = {"paper", "experiment", "claim", "expected", "measured", "tolerance", "holds"}


class Papers(CommandTest):
    def papers(self, *arguments):
        return self.call("papers", *arguments)

    def test_a_report_for_people_and_a_list_for_programs(self):
        done = self.papers(EXPERIMENT, "--quick", "--out", "out")
        self.assertEqual(done.returncode, OK, done.stdout + done.stderr)
        claims = json.loads((self.folder / "out/papers.json").read_text(encoding="utf-8"))
        self.assertGreater(len(claims), 10)
        for claim in claims:
            self.assertLessEqual(FIELDS, set(claim))
            self.assertEqual(f"{claim['paper']}/{claim['experiment']}", EXPERIMENT)
            self.assertIs(claim["holds"], True, claim)
            self.assertEqual(set(claim["tolerance"]), {"low", "high"})
        # A sentence that goes on from another names it.
        whole = None
        for claim in claims:
            if not claim["claim"].startswith("…"):
                whole = claim["claim"]
            self.assertEqual(claim["continues"],
                             whole if claim["claim"].startswith("…") else None, claim)
        # The verdict follows from the numbers beside it.
        for claim in claims:
            low, high = claim["tolerance"]["low"], claim["tolerance"]["high"]
            if claim["measured"] is not None:
                self.assertTrue(low is None or claim["measured"] >= low, claim)
                self.assertTrue(high is None or claim["measured"] <= high, claim)
        count = len(claims)
        self.assertIn(f"{count} of {count} claims hold", done.stdout)

    def test_numbers_whose_setup_is_not_given_are_shown_and_not_judged(self):
        done = self.papers("impulse-2005/conservation", "--quick", "--out", "out")
        self.assertEqual(done.returncode, OK, done.stdout + done.stderr)
        claims = json.loads((self.folder / "out/papers.json").read_text(encoding="utf-8"))
        judged = [claim for claim in claims if claim["unknown"] is None]
        others = [claim for claim in claims if claim["unknown"] is not None]
        self.assertTrue(judged and others)
        for claim in judged:
            self.assertIs(claim["holds"], True, claim)
        for claim in others:
            self.assertIsNone(claim["holds"], claim)
            self.assertTrue(claim["unknown"])
            self.assertIsNotNone(claim["measured"])
        count = len(judged)
        self.assertIn(f"{count} of {count} claims hold, {len(others)} more numbers cannot be "
                      "compared", done.stdout)
        page = (self.folder / "out/report.html").read_text(encoding="utf-8")
        self.assertEqual(page.count(">not comparable<"), len(others))

    def test_the_page_loads_nothing_and_has_every_figure(self):
        done = self.papers(EXPERIMENT, "--quick", "--out", "out", "--quiet")
        self.assertEqual((done.returncode, done.stdout), (OK, ""), done.stderr)
        page = (self.folder / "out/report.html").read_text(encoding="utf-8")
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertFalse(re.findall(r'(?:src|href)="(?!data:|#)', page), "it loads nothing")
        figures = [name for name in self.files() if name.endswith(".svg")]
        self.assertEqual(page.count("<svg"), len(figures))
        for name in figures:
            self.assertTrue(name.startswith("out/relaxed-2005-pendulum-"), name)
            xml.parse(self.folder / name)
        self.check_map(self.folder / "out/relaxed-2005-pendulum-trajectory-stiff.svg")
        self.assertIn('id="relaxed-2005-misprints"', page)
        anchors = set(re.findall(r'href="#([^"]+)"', page))
        self.assertLessEqual(anchors, set(re.findall(r'id="([^"]+)"', page)))

    def check_map(self, path):
        """A metre is as long on both axes."""
        marks = {"middle": {}, "end": {}}  # value → [px], of x and y
        for text in xml.parse(path).getroot().iter(f"{SVG}text"):
            if text.get("class") == "tick":
                anchor = text.get("text-anchor")
                value = float(text.text.replace("\u2212", "-"))
                marks[anchor][value] = float(text.get("x" if anchor == "middle" else "y"))
        scales = [abs((along[max(along)] - along[min(along)]) / (max(along) - min(along)))
                  for along in marks.values()]
        self.assertAlmostEqual(scales[0] / scales[1], 1.0, delta=1e-3)  # two decimals

    def test_the_same_whatever_the_threads(self):
        for threads in (1, 2):
            done = self.papers("relaxed-2005", "--quick", "--out", f"out{threads}",
                               "--threads", threads)
            self.assertEqual(done.returncode, OK, done.stdout + done.stderr)
        one, two = ((self.folder / f"out{n}/papers.json").read_bytes() for n in (1, 2))
        self.assertEqual(one, two)

    def test_list(self):
        done = self.papers("--list")
        self.assertEqual(done.returncode, OK, done.stderr)
        for name in ("relaxed-2005", "spook-2007", "vi-2011", "impulse-2005", "trapezoidal-2004"):
            self.assertRegex(done.stdout, rf"(?m)^{name}: .+$")
        for name in (EXPERIMENT, "spook-2007/ladder"):
            self.assertRegex(done.stdout, rf"(?m)^  {name}$")
        self.assertEqual(self.files(), [])

    def test_unknown_names_are_refused(self):
        for name, reason in (("spok-2007", 'did you mean "spook-2007"'),
                             ("relaxed-2005/pendulm", f'did you mean "{EXPERIMENT}"'),
                             ("", "there is no paper")):
            done = self.papers(name, "--out", "out")
            self.assertEqual(done.returncode, BAD_INPUT, name)
            self.assertIn(reason, done.stderr, name)
            self.assertEqual(done.stdout, "")
        self.assertEqual(self.papers("all", "--threads", 0).returncode, BAD_INPUT)
        self.assertEqual(self.files(), [])

    def test_a_folder_that_cannot_be_made(self):
        self.write("no folder", "file")
        done = self.papers(EXPERIMENT, "--quick", "--out", "file/out")
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertIn("file", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.files(), ["file"])


if __name__ == "__main__":
    cli.main()
