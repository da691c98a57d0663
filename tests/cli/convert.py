# SPDX-License-Identifier: Apache-2.0
"""`ligament convert`.

    convert.py --command build/bin/ligament --root . [CLASS...]
"""

import json

import cli
from cli import BAD_INPUT, OK

BOXES = """{"ligament": 1,
  "bodies": [{"name": "box", "mass": 1, "solid": {"box": {"half": [0.5, 0.2, 0.1]}},
              "position": [0.5, 0, 0]}],
  "joints": [{"name": "pivot", "type": "ball", "b": "box", "point": [0, 0, 0]}],
  "stepper": {"type": "impulse", "h": 0.01}, "run": {"steps": 10}}"""


class Convert(cli.CommandTest):
    def test_point_masses_run_like_the_body(self):
        scene = self.write(BOXES)
        twin = self.call("convert", scene, "--to", "point-masses")
        self.assertEqual(twin.returncode, OK, twin.stderr)
        energies = []
        for text in (BOXES, twin.stdout):
            done = self.call("run", self.write(text), "--json")
            self.assertEqual(done.returncode, OK, done.stderr)
            energies.append(json.loads(done.stdout)["energy"]["final"])
        self.assertAlmostEqual(energies[0], energies[1], places=4)

    def test_errors_name_what_has_no_twin(self):
        rail = BOXES.replace('"ball",', '"prismatic", "axis": [0, 0, 1],')
        done = self.call("convert", self.write(rail), "--to", "point-masses")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn('joint "pivot"', done.stderr)
        self.assertEqual(done.stdout, "")
        done = self.call("convert", self.write(BOXES), "--to", "marbles")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("marbles", done.stderr)


if __name__ == "__main__":
    cli.main()
