# SPDX-License-Identifier: Apache-2.0
"""Other steppers than that of the scene."""

import json

import cli
from cli import BAD_INPUT, OK, SMALL


class Steppers(cli.CommandTest):
    def test_another_stepper_leaves_the_options_of_the_first_behind(self):
        scene = self.write(SMALL.replace(
            '"run"', '"stepper": {"type": "spook", "h": 0.25, "damping_steps": 1}, "run"'))
        done = self.call("run", scene, "--json", "--out", "out", "--stepper", "trapezoidal")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(json.loads(done.stdout)["h"], 0.25)
        done = self.call("run", scene, "--stepper", "trapezoidal", "--set", "damping_steps=1")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("damping_steps", done.stderr)

    def test_every_scene_runs_by_the_trapezoidal_one(self):
        # Ten steps: later on the pile hits itself all the time, and every hit divides a step.
        for path in sorted(cli.SCENES.glob("*.json")):
            done = self.call("run", path, "--stepper", "trapezoidal", "--out", path.stem,
                             "--steps", 10, "--no-replay")
            self.assertEqual(done.returncode, OK, f"{path.name}: {done.stderr}")


if __name__ == "__main__":
    cli.main()
