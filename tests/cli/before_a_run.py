# SPDX-License-Identifier: Apache-2.0
"""`ligament check` and `ligament advise`, and what a run leaves behind when a step goes wrong.

    before_a_run.py --command build/bin/ligament --root . [CLASS...]
"""

import json
import shlex
import signal
import subprocess
import time

import cli
from cli import BAD_INPUT, FAILED, INTERRUPTED, OK

WARNINGS, ERRORS = 1, 2  # of `ligament check`

DOOR = """{"ligament": 1, "variables": {"reach": 1},
  "bodies": [{"name": "door", "mass": 1, "inertia": [1, 1, 1], "position": [0.5, 0, 1]}],
  "joints": [
    {"name": "lower", "type": "hinge", "b": "door", "point": [0, 0, 0.2], "axis": [0, 0, 1]},
    {"name": "upper", "type": "hinge", "b": "door",
     "frame_a": {"position": [0, 0, 1.8]}, "frame_b": {"position": ["-0.5*reach", 0, 0.8]}},
    {"name": "closer", "type": "spring", "b": "door", "point_a": [0, 1, 1], "point_b": [1, 0, 1],
     "stiffness": 1e6}],
  "run": {"steps": 10}}"""


class Check(cli.CommandTest):
    def test_text(self):
        done = self.call("check", self.write(DOOR))
        self.assertEqual(done.returncode, WARNINGS, done.stderr)
        for words in ("1 degree of freedom", "rows: -4", "closed as given", "redundant",
                      'joint "upper"', 'joint "closer", length', "Hz", "To change: take steps of",
                      "load sharing", "joints sag by at most", "recommended",
                      "0 errors, 1 warning"):
            self.assertIn(words, done.stdout)
        self.assertNotIn('joint "lower"', done.stdout.split("independent ")[0])

    def test_json(self):
        done = self.call("check", self.write(DOOR), "--json", "--set", "h=1e-4")
        found = json.loads(done.stdout)
        self.assertEqual((found["degrees_of_freedom"], len(found["redundant"])), (1, 5))
        self.assertEqual((found["findings"], found["ok"], done.returncode), ([], True, OK))
        self.assertEqual(found["recommended_h"], 1e-4)
        shares = [row["share"] for group in found["load_sharing"] for row in group["rows"]
                  if row["row"].endswith("point z")]
        self.assertEqual([round(share, 6) for share in shares], [0.5, 0.5])

    def test_conflicts_are_named(self):
        done = self.call("check", self.write(DOOR), "--set", "reach=2")
        self.assertEqual(done.returncode, ERRORS)
        self.assertRegex(done.stdout, 'cannot close.*joint "upper"')

    def test_all_scenes(self):
        for scene in sorted(cli.SCENES.glob("*.json")):
            done = self.call("check", scene)
            expected = WARNINGS if scene.name == "heavy_top.json" else OK  # it spins fast
            self.assertEqual(done.returncode, expected, f"{scene}: {done.stdout}{done.stderr}")

    def test_bad_input(self):
        for arguments in ([], ["missing.json"], [self.write(DOOR), "--set", "h"]):
            self.assertEqual(self.call("check", *arguments).returncode, BAD_INPUT)


class Advise(cli.CommandTest):
    def test_pendulum(self):
        done = self.call("advise", cli.SCENES / "pendulum.json", "--duration", 1,
                         "--tolerance", "1e-2", "--json")
        self.assertEqual(done.returncode, OK, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual((found["status"], found["time"]), ("found", 1))
        self.assertLess(found["reference"]["agree"], 1e-3)
        best = [trial for trial in found["trials"] if trial["recommended"]]
        self.assertEqual(len(best), 1)
        self.assertLessEqual(best[0]["error"], 1e-2)
        self.assertEqual(best[0]["command"], found["command"])
        # The commands are to be used as they are.
        for trial in found["trials"]:
            if not trial["meets"]:
                continue
            arguments = shlex.split(trial["command"])[1:]
            done = self.call(*arguments, "--out", "out", "--no-replay")
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertEqual(self.summary()["h"], trial["h"])
            self.assertEqual(self.summary()["steps"], trial["steps"])

    def test_text(self):
        done = self.call("advise", cli.SCENES / "dominoes.json", "--duration", 0.05,
                         "--tolerance", 0.1, "--budget", 20)
        self.assertIn(done.returncode, (OK, FAILED), done.stderr)
        if done.returncode == OK:
            for words in ("accuracy", "reference", "step [s]", "=>", "use           ligament run",
                          "taylor", "not tried"):
                self.assertIn(words, done.stdout)

    def test_bad_input(self):
        scene = cli.SCENES / "pendulum.json"
        for arguments in ([], ["missing.json"], [scene, "--tolerance", 0],
                          [scene, "--tolerance", 2],
                          [scene, "--tolerance", "nan"], [scene, "--duration", -1],
                          [scene, "--budget", 0], [scene, "--set", "h"],
                          [self.write(cli.SMALL), "--set", "steps=0"]):
            done = self.call("advise", *arguments)
            self.assertEqual(done.returncode, BAD_INPUT, arguments)
            self.assertTrue(done.stderr.startswith("ligament: "), done.stderr)

    def test_interrupt(self):
        child = subprocess.Popen(
            [cli.COMMAND, "advise", cli.SCENES / "chain.json", "--tolerance", "1e-9"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=cli.TIMEOUT)
        self.assertEqual(child.returncode, INTERRUPTED)


class FailedStep(cli.CommandTest):
    """The problem of a step that failed is kept, and solved again."""

    RIGID = DOOR.replace('"axis": [0, 0, 1]}', '"axis": [0, 0, 1], "compliance": 0, '
                         '"angular_compliance": 0}').replace(
                             '0.8]}}', '0.8]}, "compliance": 0, "angular_compliance": 0}')

    def test_singular(self):
        scene = self.write(self.RIGID)
        done = self.call("run", scene, "--out", "out", "--no-replay", "--set", "compliance_floor=0",
                         "--set", "solver=direct")
        self.assertEqual(done.returncode, FAILED, done.stdout)
        for words in ("singular", 'body "door"', "failed_step.txt", "ligament solve"):
            self.assertIn(words, done.stderr)
        self.assertNotIn("the machine asked for", done.stdout)  # nothing was simulated
        kept = self.summary()["failed_step"]
        self.assertEqual((kept["file"], kept["step"], kept["failed"]), ("failed_step.txt", 1, True))
        dump = self.folder / "out" / "failed_step.txt"
        self.assertIn('joint "upper"', dump.read_text(encoding="utf-8"))
        self.assertEqual(self.call("solve", dump, "--solver", "direct").returncode, FAILED)
        # Sweeps need no compliance: the rows agree with each other.
        done = self.call("solve", dump, "--solver", "gauss_seidel", "--json")
        self.assertLess(json.loads(done.stdout)["residual"]["max"], 1e-12)
        # A run that goes well takes it away.
        done = self.call("run", scene, "--out", "out", "--no-replay")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIsNone(self.summary()["failed_step"])
        self.assertFalse(dump.exists())

    def test_not_converged(self):
        done = self.call("run", cli.SCENES / "chain.json", "--steps", 20, "--out", "out",
                         "--no-replay", "--set", 'solver={"type": "gauss_seidel", "max_sweeps": 2}')
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("failed_step.txt", done.stdout)
        self.assertFalse(self.summary()["failed_step"]["failed"])
        dump = self.folder / "out" / "failed_step.txt"
        self.assertEqual(self.call("solve", dump).returncode, OK)


if __name__ == "__main__":
    cli.main()
