# SPDX-License-Identifier: Apache-2.0
"""The `ligament` command as a user meets it: exit codes, files, signals, terminals, broken input.

    cli.py --command build/bin/ligament --root . [CLASS...]
"""

import argparse
import csv
import json
import os
import pty
import random
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

OK, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
TIMEOUT = 300  # [s] for one command, instrumented builds included

FILES = ("history.csv", "replay.html", "summary.json", "trajectory.csv")
COMMAND = Path()
SCENES = Path()

SMALL = """{"ligament": 1, "variables": {"N": 3},
  "bodies": [{"repeat": {"index": "i", "count": "N"}, "items": [
    {"name": "p{i}", "kind": "particle", "mass": 1, "position": ["i", 0, 0]}]}],
  "joints": [{"type": "distance", "b": "p1", "a": "p0"}],
  "run": {"steps": 10}}"""


class CommandTest(unittest.TestCase):
    """Runs in a folder of its own."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="ligament-cli-")
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def call(self, *arguments, **options):
        done = subprocess.run([COMMAND, *map(str, arguments)], cwd=self.folder, timeout=TIMEOUT,
                              stdin=subprocess.DEVNULL,
                              **{"capture_output": True, "text": True, **options})
        self.check_health(done)
        return done

    def check_health(self, done):
        """No signal, no sanitizer, no internal error."""
        message = f"{done.args}\n{done.stdout}\n{done.stderr}"
        self.assertIn(done.returncode, (OK, FAILED, BAD_INPUT, INTERRUPTED), message)
        self.assertNotIn("Sanitizer", done.stderr or "", message)
        self.assertNotIn("runtime error", done.stderr or "", message)

    def write(self, text, name="scene.json"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
                      if path.is_file())

    def summary(self, out="out"):
        return json.loads((self.folder / out / "summary.json").read_text(encoding="utf-8"))

    def trajectory(self, out="out"):
        with open(self.folder / out / "trajectory.csv", newline="", encoding="utf-8") as file:
            return list(csv.reader(file))


class Usage(CommandTest):
    def test_version(self):
        done = self.call("--version")
        self.assertEqual(done.returncode, OK)
        self.assertRegex(done.stdout, r"^ligament \d+\.\d+\.\d+\n$")

    def test_help(self):
        done = self.call("help")
        self.assertEqual(done.returncode, OK)
        for word in ("run", "solve", "help", "--version"):
            self.assertIn(word, done.stdout)
        done = self.call("help", "run")
        self.assertEqual(done.returncode, OK)
        for word in ("--out", "--stepper", "--set", "--duration", "--steps", "--json"):
            self.assertIn(word, done.stdout)
        self.assertEqual(self.call("run", "--help").returncode, OK)
        self.assertEqual(self.call("help", "rnu").returncode, BAD_INPUT)

    def test_bad_usage(self):
        scene = self.write(SMALL)
        for arguments in ([], ["rnu"], ["run"], ["run", scene, "--bogus"], ["solve"],
                          ["run", scene, "--duration", 1, "--steps", 1],
                          ["run", scene, "--set", "h"], ["run", scene, "--set", "=1"],
                          ["run", scene, "--dump-step", 1], ["run", scene, scene],
                          ["run", scene, "--dump-step", "x", "y"],
                          ["run", scene, "--dump-step", 11, "file"]):
            done = self.call(*arguments)
            self.assertEqual(done.returncode, BAD_INPUT, arguments)
            self.assertTrue(done.stderr.startswith("ligament: "), done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertEqual(self.files(), ["scene.json"])


class BadInput(CommandTest):
    """A clear error, exit code 2, and nothing left behind."""

    def refuse(self, *arguments, expected):
        before = self.files()
        done = self.call("run", *arguments)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertTrue(done.stderr.startswith("ligament: "), done.stderr)
        self.assertIn(expected, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.files(), before)
        self.assertFalse((self.folder / "results").exists())

    def test_scenes(self):
        rigid = '{"ligament": 1, "bodies": [{"name": "b", %s}], "run": {"steps": 1}}'
        body = rigid.replace("%s", '"kind": "particle", %s')
        for text, expected in (
                (body % '"mas": 1', 'did you mean "mass"?'),
                (body % '"mass": "heavy"', 'bodies[0].mass'),
                (body % '"mass": NaN', "numbers must be finite"),
                (body % '"mass": 0', "bodies[0].mass"),
                (body % '"mass": 1e308', "below 1e+30"),
                (body % '"mass": 1e400', "1e400"),
                (rigid % '"mass": 1, "inertia": [1, 1, 3]', "triangle inequality"),
                (SMALL.replace('"b": "p1"', '"b": "q"'), "joints[0].b"),
                (SMALL.replace("p{i}", "p1").replace('"a": "p0"', '"a": "world"'), "taken"),
                (SMALL.replace('"run"', '"stepper": {"h": 0}, "run"'), "stepper.h"),
                (SMALL[:100], "scene.json:"),
                ("", "empty"),
                ("[" * 1_000_000, "nested deeper"),
        ):
            self.refuse(self.write(text), expected=expected)

    def test_a_gigabyte_of_brackets(self):
        path = self.write("[" * 1_000_000)
        os.truncate(path, 1 << 30)
        started = time.monotonic()
        self.refuse(path, expected="1024 MiB")
        self.assertLess(time.monotonic() - started, 10)

    def test_what_is_no_file(self):
        self.refuse("missing.json", expected="missing.json: there is no such file")
        self.refuse(self.folder, expected="a folder")
        self.refuse("/dev/zero", expected="not a file")

    def test_folder_that_cannot_be_written(self):
        scene = self.write(SMALL)
        self.write("", "file")
        self.refuse(scene, "--out", "file", expected="file: the folder")
        self.refuse(scene, "--out", "file/below", expected="file/below: the folder")
        self.refuse(scene, "--out", "/proc/none", expected="/proc/none: the folder")

    def test_full_disk(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        before = self.files()
        # Without restoring signals SIGXFSZ stays ignored, and writing fails as on a full disk.
        done = self.call("run", SCENES / "ladder.json", preexec_fn=limit, restore_signals=False)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertIn("cannot be written", done.stderr)
        self.assertEqual(self.files(), before)
        self.assertFalse((self.folder / "results").exists())

    def test_full_standard_output(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.call("run", self.write(SMALL), "--json", capture_output=False, stdout=full,
                             stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("standard output", done.stderr)


class Results(CommandTest):
    def test_folder_by_default(self):
        done = self.call("run", self.write(SMALL, "small.json"))
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(self.files(), [*(f"results/small/{name}" for name in FILES), "small.json"])
        self.assertIn("completed", done.stdout)
        self.assertIn("results/small", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_summary_and_trajectory(self):
        done = self.call("run", SCENES / "ladder.json", "--out", "out", "--steps", 25,
                         "--set", "every=10")
        self.assertEqual(done.returncode, OK, done.stderr)
        summary = self.summary()
        self.assertEqual(summary["status"], "completed")
        self.assertEqual((summary["steps"], summary["bodies"]), (25, 61))
        self.assertAlmostEqual(summary["energy"]["initial"], 3050.0)
        self.assertLess(summary["violation"]["max"], 0.1)
        rows = self.trajectory()
        self.assertEqual(len(rows[0]), 1 + 7 * 61)
        self.assertEqual(rows[0][:3], ["t", "rung 0.x", "rung 0.y"])
        self.assertEqual([round(float(row[0]) * 60) for row in rows[1:]], [0, 10, 20, 25])
        self.assertEqual(summary["trajectory"]["rows"], 4)

    def test_json_is_the_summary(self):
        done = self.call("run", self.write(SMALL), "--json", "--out", "out")
        self.assertEqual(json.loads(done.stdout), self.summary())
        self.assertEqual(done.stderr, "")

    def test_quiet_is_quiet(self):
        done = self.call("run", self.write(SMALL), "--quiet", "--out", "out")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (OK, "", ""))

    def test_second_run_replaces_the_first(self):
        scene = self.write(SMALL)
        self.call("run", scene, "--out", "out")
        self.call("run", scene, "--out", "out", "--steps", 3)
        self.assertEqual(self.summary()["steps"], 3)
        self.assertEqual(len(self.trajectory()), 1 + 4)

    def test_failed_run_says_so(self):
        # Two rows on one point, and no compliance at all: the equations are singular.
        joint = '{"type": "ball", "b": "p", "point": [0, 0, 0], "compliance": 0}'
        scene = self.write('{"ligament": 1,'
                           '"bodies": [{"name": "p", "kind": "particle", "mass": 1}],'
                           f'"joints": [{joint}, {joint}], "run": {{"steps": 5}},'
                           '"stepper": {"compliance_floor": 0}}')
        done = self.call("run", scene, "--out", "out")
        self.assertEqual(done.returncode, FAILED, done.stdout)
        summary = self.summary()
        self.assertEqual((summary["status"], summary["completed"]), ("solver failed", False))
        self.assertIn("singular", summary["failure"])
        self.assertIn("singular", done.stderr)
        self.assertEqual(len(self.trajectory()), 1 + 1 + summary["steps"])


class Scenes(CommandTest):
    """The scenes of the project show what they say they show, and nothing to worry about."""

    def test_run_without_warnings(self):
        # Where many hit each other one step may be late: a warning, and another on the worst step.
        late = ("did not reach its tolerance", "was solved worst")
        for path in sorted(SCENES.glob("*.json")):
            done = self.call("run", path, "--out", "out", "--json")
            self.assertEqual(done.returncode, OK, f"{path}: {done.stderr}")
            warnings = json.loads(done.stdout)["warnings"]
            if path.stem in ("dominoes", "pile"):
                warnings = [w for w in warnings if not any(words in w for words in late)]
            self.assertEqual(warnings, [], path)


class Start(CommandTest):
    """How a run begins: as given, assembled, staggered."""

    # The hinge wants the end of the arm at the origin and the arm is 0.3 m away from there.
    OPEN = """{"ligament": 1, "gravity": [0, 0, 0],
      "bodies": [{"name": "arm", "mass": 1, "inertia": [1, 1, 1], "position": [1.3, 0, 0]}],
      "joints": [{"name": "pivot", "type": "hinge", "b": "arm",
                  "frame_a": {}, "frame_b": {"position": [-1, 0, 0]}}],
      "assemble": %s, "run": {"steps": 3}}"""

    def test_assembled(self):
        done = self.call("run", self.write(self.OPEN % "true"), "--out", "out")
        self.assertEqual(done.returncode, OK, done.stderr)
        summary = self.summary()
        self.assertEqual(summary["warnings"], [])
        self.assertLess(summary["violation"]["max"], 1e-9)
        self.assertAlmostEqual(float(self.trajectory()[1][1]), 1.0)

    def test_open_joints_are_named(self):
        done = self.call("run", self.write(self.OPEN % "false"), "--out", "out")
        self.assertEqual(done.returncode, OK, done.stderr)
        warnings = self.summary()["warnings"]
        self.assertEqual(len(warnings), 1)
        for word in ('joint "pivot"', "0.3 m", '"assemble": true'):
            self.assertIn(word, warnings[0])
            self.assertIn(word, done.stdout)
        self.assertAlmostEqual(float(self.trajectory()[1][1]), 1.3)
        done = self.call("run", "scene.json", "--out", "out", "--set", "assemble=true")
        self.assertEqual(self.summary()["warnings"], [])

    def test_what_cannot_be_assembled_is_refused(self):
        rope = '{"name": "%s", "type": "distance", "b": "p", "point_a": [%g, 0, 0], "length": 1}'
        self.write('{"ligament": 1, "assemble": true, "run": {"steps": 3},'
                   '"bodies": [{"name": "p", "kind": "particle", "mass": 1}],'
                   f'"joints": [{rope % ("left", -5)}, {rope % ("right", 5)}]}}')
        done = self.call("run", "scene.json")
        self.assertEqual(done.returncode, BAD_INPUT, done.stdout)
        for word in ("scene.json: ", "cannot be assembled", 'joint "left"', 'joint "right"'):
            self.assertIn(word, done.stderr)
        self.assertEqual(self.files(), ["scene.json"])
        self.assertFalse((self.folder / "results").exists())

    def test_staggered_start_falls_along_the_parabola(self):
        # x = g h² (1 + … + n) is g h t/2 too far; half a step of velocity less is exact.
        for staggered, excess in (("false", 1.0), ("true", 0.0)):
            self.write('{"ligament": 1, "gravity": [10, 0, 0], "stepper": {"h": 0.01},'
                       f'"run": {{"steps": 100, "staggered": {staggered}}},'
                       '"bodies": [{"name": "p", "kind": "particle", "mass": 1}]}')
            self.assertEqual(self.call("run", "scene.json", "--out", "out").returncode, OK)
            self.assertAlmostEqual(float(self.trajectory()[-1][1]), 5.0 + 0.05 * excess, 12)


class Functions(CommandTest):
    """Functions of time that have no value at some time end the run there, by name."""

    SCENE = """{"ligament": 1, "stepper": {"h": "1/64"}, "run": {"duration": 1},
      "bodies": [{"name": "arm", "mass": 1, "inertia": [1, 1, 1]},
                 {"name": "floor", "kind": "fixed", "motion": {"position": [0, 0, %s]}}],
      "joints": [{"name": "pivot", "type": "hinge", "a": "floor", "b": "arm",
                  "point": [0, 0, 0], "axis": [0, 0, 1]}],
      "controls": [{"name": "drive", "type": "%s", "joint": "pivot", "%s": %s}],
      "loads": [{"name": "wind", "body": "arm", "force": [0, 0, %s]}]}"""

    def check(self, values, owner):
        done = self.call("run", self.write(self.SCENE % values), "--out", "out")
        self.assertEqual(done.returncode, FAILED, done.stdout)
        failure = self.summary()["failure"]
        self.assertIn(failure, done.stderr)
        self.assertIn(owner, failure)
        self.assertIn("no finite value", failure)
        # Half a second, or up to two steps before: the steps ask for what is to come.
        time_of_failure = float(re.search(r"t = ([\d.]+) s", failure).group(1))
        self.assertAlmostEqual(time_of_failure, 0.5, delta=2.01 / 64)
        self.assertEqual(len(self.trajectory()), 2 + self.summary()["steps"])

    def test_of_controls(self):
        for bad in ('"1/(t - 0.5)"', '"sqrt(0.5 - t)"', '"ln(0.5 - t)"'):
            for control, key in (("servo", "target"), ("motion", "target"), ("motor", "speed")):
                # The speed of a motor is asked for in the middle of steps.
                if control == "motor" and "1/" in bad:
                    bad = '"1/(t - 65/128)"'
                self.check(("0", control, key, bad, "0"), 'control "drive"')

    def test_of_loads(self):
        self.check(("0", "motor", "speed", "0", '"sqrt(0.5 - t)"'), 'load "wind"')

    def test_of_motions(self):
        self.check(('"asin(2*t)"', "motor", "speed", "0", "0"), 'body "floor"')

    def test_fine_ones_go_on(self):
        values = ('"0.1*sin(t)"', "servo", "target", '{"times": [0, 1], "values": [0, 1]}', '"t"')
        done = self.call("run", self.write(self.SCENE % values), "--out", "out")
        self.assertEqual(done.returncode, OK, done.stderr)


class Columns(CommandTest):
    def test_on_request(self):
        bodies = 1 + 7 * 3
        for arguments, joints, controls in (
                ([], [], []),
                (["--set", 'output.joints=["slide"]'], ["slide"], []),
                (["--set", "output.controls=true"], [], ["motor"]),
                (["--set", "output.joints=true", "--set", "output.controls=true"],
                 ["shaft", "pin", "wrist", "slide"], ["motor"])):
            done = self.call("run", SCENES / "slider_crank.json", "--out", "out", "--steps", 5,
                             *arguments)
            self.assertEqual(done.returncode, OK, done.stderr)
            expected = []
            for joint in joints:
                free = "slide" if joint == "slide" else "angle"
                expected += [f"{joint}.{c}" for c in (free, f"{free}.speed", "fx", "fy", "fz",
                                                      "tx", "ty", "tz")]
            expected += [f"{control}.{c}" for control in controls for c in ("force", "value")]
            rows = self.trajectory()
            self.assertEqual(rows[0][bodies:], expected)
            self.assertEqual({len(row) for row in rows}, {bodies + len(expected)})

    def test_forces_do_the_work(self):
        # The motor's power is what the energy grows by: mean force times the turn of each step.
        done = self.call("run", SCENES / "slider_crank.json", "--out", "out", "--set", "h=1e-4",
                         "--duration", 1, "--set", "output.controls=true", "--json")
        energy = json.loads(done.stdout)["energy"]
        rows = self.trajectory()
        force, value = rows[0].index("motor.force"), rows[0].index("motor.value")
        numbers = [[float(x) for x in row] for row in rows[1:]]
        work = sum(new[force] * (new[value] - old[value])
                   for old, new in zip(numbers, numbers[1:]))
        # First order in h: 1e-4 of the 10 J and more that the load takes up and gives back.
        self.assertAlmostEqual(work, energy["final"] - energy["initial"], delta=1e-2)

    def test_unknown_names_are_refused(self):
        done = self.call("run", SCENES / "slider_crank.json", "--set", 'output.joints=["shfat"]')
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn('output.joints[0]', done.stderr)
        self.assertIn('there is no joint "shfat": did you mean "shaft"?', done.stderr)


class Overrides(CommandTest):
    def test_reach_the_run(self):
        scene = self.write(SMALL)
        for arguments, key, value in (
                (["--set", "h=1/4"], "h", 0.25),
                (["--set", "stepper.h=0.5"], "h", 0.5),
                (["--set", "N=5"], "bodies", 5),
                (["--set", "variables.N=6", "--set", "h=1"], "bodies", 6),
                (["--set", "solver=umfpack"], "solver", "umfpack"),
                (["--stepper", "relaxed"], "stepper", "relaxed"),
                (["--steps", "4"], "steps", 4),
                (["--duration", "0.1"], "steps", 6),
                (["--duration", "1/2"], "steps", 30),
        ):
            done = self.call("run", scene, "--json", "--out", "out", *arguments)
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertEqual(json.loads(done.stdout)[key], value, arguments)

    def test_errors_name_the_option(self):
        scene = self.write(SMALL)
        for arguments, expected in (
                (["--set", "hh=1"], '--set hh=1: unknown key "hh": did you mean "h"?'),
                (["--set", "h=0"], "stepper.h (--set h=0)"),
                (["--duration", "-1"], "run.duration (--duration -1)"),
                (["--steps", "1e300"], "run.steps (--steps 1e300)"),
                (["--stepper", "spok"], 'unknown stepper "spok": did you mean "spook"?'),
        ):
            done = self.call("run", scene, *arguments)
            self.assertEqual(done.returncode, BAD_INPUT)
            self.assertIn(expected, done.stderr)


class Solve(CommandTest):
    def dump(self, step=3):
        # Kick and drift: cholmod needs symmetric blocks.
        done = self.call("run", SCENES / "slider_crank.json", "--steps", 5, "--dump-step", step,
                         "step", "--set", "gyroscopic=kick_drift")
        self.assertEqual(done.returncode, OK, done.stderr)
        return self.folder / "step"

    def test_all_solvers_agree(self):
        dump = self.dump()
        solutions = []
        for solver in ("direct", "umfpack", "cholmod"):
            done = self.call("solve", dump, "--solver", solver, "--json", "--solution")
            self.assertEqual(done.returncode, OK, done.stdout)
            result = json.loads(done.stdout)
            self.assertEqual((result["status"], result["rows"]), ("solved", 21))
            self.assertLess(result["residual"]["max"], 1e-9)
            solutions.append(result["u"])
        scale = max(map(abs, solutions[0]))
        for other in solutions[1:]:
            self.assertLess(max(abs(a - b) for a, b in zip(solutions[0], other)), 1e-9 * scale)

    def test_text(self):
        done = self.call("solve", self.dump(), "--solution")
        self.assertEqual(done.returncode, OK)
        for word in ("solved", "3 bodies", "21 rows", "N s", "m/s", "u of body", "lambda of block"):
            self.assertIn(word, done.stdout)

    def test_unsupported_law(self):
        text = self.dump().read_text(encoding="utf-8").replace("equality", "unilateral", 1)
        done = self.call("solve", self.write(text, "unilateral"), "--solver", "direct")
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("unsupported", done.stdout)
        self.assertEqual(self.call("solve", "unilateral").returncode, OK)  # by block pivoting

    def test_bad_input(self):
        text = self.dump().read_text(encoding="utf-8")
        for broken in ("", "{}", text[:len(text) // 2], text.replace("mass 1", "mass -1", 1)):
            done = self.call("solve", self.write(broken, "broken"))
            self.assertEqual(done.returncode, BAD_INPUT)
            self.assertRegex(done.stderr, r"^ligament: .*broken: line \d+: ")
        self.assertEqual(self.call("solve", "missing").returncode, BAD_INPUT)
        self.assertEqual(self.call("solve", self.folder).returncode, BAD_INPUT)
        done = self.call("solve", self.dump(), "--solver", "umpack")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn('did you mean "umfpack"?', done.stderr)


class Interrupt(CommandTest):
    def start(self):
        process = subprocess.Popen(
            [COMMAND, "run", SCENES / "ladder.json", "--out", "out", "--steps", "1e8",
             "--set", "every=100"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        parts = []
        deadline = time.monotonic() + TIMEOUT
        while not any(part.stat().st_size > 0 for part in parts):  # until the run is on its way
            self.assertLess(time.monotonic(), deadline)
            self.assertIsNone(process.poll())
            time.sleep(0.05)
            parts = list((self.folder / "out").glob("*.part"))
        return process

    def check_partial(self):
        self.assertEqual(self.files(), [f"out/{name}" for name in FILES])
        summary = self.summary()
        self.assertEqual((summary["status"], summary["interrupted"], summary["completed"]),
                         ("interrupted", True, False))
        self.assertEqual(summary["steps_asked"], 100_000_000)
        self.assertLess(summary["steps"], summary["steps_asked"])
        rows = self.trajectory()
        self.assertEqual(len(rows) - 1, summary["trajectory"]["rows"])
        self.assertEqual({len(row) for row in rows}, {1 + 7 * 61})
        self.assertAlmostEqual(float(rows[-1][0]), summary["time"])

    def test_control_c_leaves_a_valid_partial_result(self):
        process = self.start()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, INTERRUPTED, err)
        self.assertIn("interrupted", out)
        self.check_partial()

    def test_termination_too(self):
        process = self.start()
        process.terminate()
        process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.check_partial()

    def test_second_control_c_kills(self):
        process = self.start()
        process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT)
        # Killed, unless it was already done after the first one.
        self.assertIn(process.returncode, (-signal.SIGINT, INTERRUPTED))

    def test_killed_run_leaves_nothing_under_the_final_names(self):
        process = self.start()
        process.kill()
        process.communicate(timeout=TIMEOUT)
        self.assertTrue(all(name.endswith(".part") for name in self.files()), self.files())


class Terminal(CommandTest):
    ARGUMENTS = ["run", "--out", "out", "--set", "N=200", "--steps", "1000", "--set", "every=1000"]

    def test_progress_bar_on_a_terminal(self):
        ours, theirs = pty.openpty()
        process = subprocess.Popen([COMMAND, *self.ARGUMENTS, SCENES / "ladder.json"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL, stderr=theirs,
                                   stdin=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm"})
        os.close(theirs)
        shown = b""
        while select.select([ours], [], [], TIMEOUT)[0]:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
        os.close(ours)
        self.assertEqual(process.wait(TIMEOUT), OK)
        text = shown.decode()
        self.assertRegex(text, r"\[#*\.*\] +\d+ %  t = [\d.]+ s  [\d.e+]+ x real time")
        self.assertTrue(text.endswith("\r\x1b[K"), "the bar is wiped at the end")
        self.assertNotIn("\n", text)

    def test_none_in_a_pipe(self):
        done = self.call(*self.ARGUMENTS, SCENES / "ladder.json")
        self.assertEqual((done.returncode, done.stderr), (OK, ""))


class MutatedFiles(CommandTest):
    """Valid files, broken at random in a fixed way: refused or run, and never a crash."""

    COUNT = 300
    VALUES = [0, -1, 1e30, 1e-30, 1e308, -0.0, None, True, [], {}, "x", "1/0", "{i}", "world", "i",
              [0, 0, 0], [1, 0, 0, 0], 9007199254740993, 1e-300, 0.5, 3, 100, "rod", "rigid",
              "fixed", [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "particle", "umfpack", "cholmod", "hinge",
              "t", "1/t", "sqrt(0.01 - t)", {"times": [0, 1], "values": [0, 1]}, "rope", "spring",
              "universal", "actuator", "motor", "servo", "motion", "limit", "lock", "gear",
              {"position": ["t", 0, 0]}, {"position": [1, 0, 0], "orientation": [1, 0, 0, 0]}]

    def places(self, value, found):
        """All (container, key) of a document."""
        keys = value.keys() if isinstance(value, dict) else range(len(value))
        for key in list(keys):
            found.append((value, key))
            if isinstance(value[key], (dict, list)):
                self.places(value[key], found)
        return found

    def mutate_document(self, document, rng):
        """Other values, values moved, keys and elements removed or doubled."""
        for _ in range(rng.randint(1, 2)):
            places = self.places(document, [])
            container, key = rng.choice(places)
            kind = rng.randrange(8)
            if kind == 0:
                del container[key]
            elif kind == 1 and isinstance(container, list):
                container.append(json.loads(json.dumps(container[key])))
            elif kind == 2:
                source, other = rng.choice(places)
                container[key] = json.loads(json.dumps(source[other]))
            elif kind < 5 and isinstance(container[key], (int, float)):
                container[key] *= rng.choice([-1, 0, 0.5, 2, 1e-9, 1e9])
            else:
                container[key] = rng.choice(self.VALUES)
        return json.dumps(document)

    def mutate_text(self, text, rng):
        """A byte replaced or added, a piece cut out."""
        at = rng.randrange(len(text))
        if rng.randrange(2):
            return text[:at] + chr(rng.randrange(1, 256)) + text[at + rng.randrange(2):]
        return text[:at] + text[at + rng.randrange(1, 40):]

    def test_scenes(self):
        rng = random.Random(2007)
        scenes = [re.sub(r"(?m)//.*$", "", path.read_text(encoding="utf-8"))
                  for path in sorted(SCENES.glob("*.json"))]
        self.assertTrue(scenes)
        codes = set()
        for i in range(self.COUNT):
            text = rng.choice(scenes)
            text = (self.mutate_text(text, rng) if rng.randrange(4) == 0 else
                    self.mutate_document(json.loads(text), rng))
            path = self.folder / "scene.json"
            path.write_bytes(text.encode("latin-1", "replace"))
            done = self.call("run", path, "--steps", 2, "--out", f"out/{i}", errors="replace")
            codes.add(done.returncode)
            self.assertEqual((self.folder / f"out/{i}").exists(), done.returncode != BAD_INPUT)
            if done.returncode == BAD_INPUT:
                self.assertTrue(done.stderr.startswith("ligament: "), done.stderr)
            if i % 4 == 0:
                self.call("check", path, errors="replace")
        self.assertLessEqual({OK, BAD_INPUT}, codes)

    def test_dumps(self):
        rng = random.Random(2005)
        self.call("run", SCENES / "slider_crank.json", "--steps", 1, "--dump-step", 1, "step")
        text = (self.folder / "step").read_text(encoding="utf-8")
        for _ in range(self.COUNT // 2):
            lines = text.splitlines(keepends=True)
            at = rng.randrange(len(lines))
            words = lines[at].split(" ")
            words[rng.randrange(len(words))] = rng.choice(
                ["0", "1", "-1", "2", "1e300", "1e-300", "nan", "inf", "general", "cone 1",
                 "unilateral", "box -1 1", ""])
            lines[at] = " ".join(words)
            if rng.randrange(3) == 0:
                lines[at] = self.mutate_text(lines[at], rng)
            (self.folder / "broken").write_bytes("".join(lines).encode("latin-1", "replace"))
            self.call("solve", self.folder / "broken", "--solver",
                      rng.choice(["block_pivot", "direct", "umfpack", "cholmod"]), errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", type=Path, required=True)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("classes", nargs="*")
    arguments = parser.parse_args()
    global COMMAND, SCENES
    COMMAND = arguments.command.resolve()
    SCENES = arguments.root.resolve() / "scenes"
    unittest.main(argv=[sys.argv[0], *arguments.classes])


if __name__ == "__main__":
    main()
