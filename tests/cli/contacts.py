# SPDX-License-Identifier: Apache-2.0
"""`ligament contacts`, and what the other commands say about shapes.

    contacts.py --command build/bin/ligament --root . [CLASS...]
"""

import json
import math
import random
import re

import cli
from cli import BAD_INPUT, OK

# A crate of 1 m edge, 1 mm deep in the floor.
CRATE = """{"ligament": 1, "variables": {"z": 0.499},
  "materials": [{"name": "ice", "friction": 0.02, "damping_time": 0.1}],
  "shapes": [{"name": "floor", "type": "half_space", "material": "ice"}],
  "bodies": [{"name": "crate", "density": 500, "position": [0, 0, "z"],
              "shapes": [{"name": "crate", "type": "box", "half": [0.5, 0.5, 0.5]}]}],
  "run": {"steps": 1}}"""

# One triangle: an open mesh.
OPEN = """{"ligament": 1, "bodies": [], "run": {"steps": 1},
  "shapes": [{"name": "tile", "type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
              "triangles": [[0, 1, 2]]}]}"""


class Contacts(cli.CommandTest):
    def find(self, *arguments):
        done = self.call("contacts", *arguments, "--json")
        self.assertEqual(done.returncode, OK, done.stderr)
        return json.loads(done.stdout)

    def test_text(self):
        done = self.call("contacts", self.write(CRATE))
        self.assertEqual(done.returncode, OK, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 6)
        self.assertRegex(lines[0], "shape a +shape b +gap")
        self.assertRegex(lines[1], r"world\.floor +crate +-0\.001 .* 0\.1 +0$")
        self.assertEqual(lines[-1], "4 contacts between 1 pair, smallest gap -0.001 m "
                                    '("world.floor" and "crate")')

    def test_json(self):
        found = self.find(self.write(CRATE))
        self.assertEqual((found["shapes"], found["pairs"], len(found["contacts"])), (2, 1, 4))
        self.assertAlmostEqual(found["smallest_gap"], -0.001, delta=1e-12)
        self.assertEqual(len({contact["feature"] for contact in found["contacts"]}), 4)
        corners = set()
        for contact in found["contacts"]:
            self.assertEqual((contact["shape_a"], contact["body_a"]), ("floor", "world"))
            self.assertEqual((contact["shape_b"], contact["body_b"]), ("crate", "crate"))
            self.assertEqual(contact["normal"], [0, 0, 1])
            self.assertAlmostEqual(sum(x * x for x in contact["tangent"]), 1, delta=1e-12)
            self.assertRegex(contact["feature"], "^0x[0-9a-f]{16}$")
            self.assertAlmostEqual(contact["material"]["friction"], math.sqrt(0.5 * 0.02))
            self.assertIsNotNone(contact["material"]["damping_time"])
            corners.add((round(contact["point_b"][0], 9), round(contact["point_b"][1], 9)))
        self.assertEqual(corners, {(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)})

    def test_none_is_no_error(self):
        scene = self.write(CRATE)
        done = self.call("contacts", scene, "--set", "z=5")
        self.assertEqual((done.returncode, done.stdout), (OK, "no contacts between 2 shapes\n"))
        found = self.find(scene, "--set", "z=5")
        self.assertEqual((found["contacts"], found["smallest_gap"]), ([], None))
        self.assertEqual(self.find(self.write(cli.SMALL))["contacts"], [])

    def test_threads_change_nothing(self):
        scene = cli.SCENES / "shapes.json"
        self.assertEqual(self.find(scene, "--threads", 3), self.find(scene))

    def test_start_is_assembled(self):
        text = cli.Start.OPEN.replace('"position": [1.3', '"shapes": [{"type": "sphere", '
                                      '"radius": 0.5}], "position": [1.3')
        text = text.replace('"bodies"', '"shapes": [{"type": "plane", "position": [1.4, 0, 0], '
                            '"normal": [-1, 0, 0]}], "bodies"')
        text = text.replace('"frame_a": {}', '"contacts": true, "frame_a": {}')
        gaps = [self.find(self.write(text % start))["smallest_gap"] for start in ("false", "true")]
        # The centre is 0.1 m from the plane as given, and 0.4 m where the hinge wants it.
        self.assertAlmostEqual(gaps[0], -0.4, delta=1e-9)
        self.assertAlmostEqual(gaps[1], -0.1, delta=1e-6)

    def test_bad_input(self):
        scene = self.write(CRATE)
        for arguments in ([], ["missing.json"], [scene, "--threads", 0], [scene, "--set", "z"],
                          [scene, "--threads", "x"]):
            done = self.call("contacts", *arguments)
            self.assertEqual(done.returncode, BAD_INPUT, arguments)
            self.assertTrue(done.stderr.startswith("ligament: "), done.stderr)

    def test_scene_shows_each_shape(self):
        found = self.find(cli.SCENES / "shapes.json")
        pairs = {(contact["shape_a"], contact["shape_b"]) for contact in found["contacts"]}
        for pair in (("floor", "left weight"), ("floor", "crate"), ("floor", "gem"),
                     ("wall", "left weight"), ("crate", "log"), ("ramp", "marble"),
                     ("ball 0", "ball 1"), ("ball 1", "ball 2"), ("hills", "drop")):
            self.assertIn(pair, pairs)
        self.assertNotIn(("floor", "ball 0"), pairs)


class MeshWarnings(cli.CommandTest):
    LINE = 'ligament: warning: body "world", shape "tile": the mesh is open'

    def test_of_meshes_reach_the_user(self):
        scene = self.write(OPEN)
        for command in ("run", "check", "contacts"):
            done = self.call(command, scene)
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertTrue(done.stderr.startswith(self.LINE), done.stderr)
        self.assertEqual(self.call("run", scene, "--quiet").stderr, "")

    def test_many_are_cut_short(self):
        text = OPEN.replace("tile", "tile {i}").replace("]]}]}", "]]}]}]}").replace(
            '"shapes": [', '"shapes": [{"repeat": {"index": "i", "count": 50}, "items": [')
        done = self.call("contacts", self.write(text))
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 21)
        self.assertIn("30 more", done.stderr)


class MutatedShapes(cli.CommandTest):
    """The scene with all shapes, broken at random in a fixed way: refused or answered."""

    COUNT = 150
    VALUES = [0, -1, 1e30, 1e-30, 1e-300, 1e8, None, [], {}, "x", "sphere", "box", "capsule",
              "convex", "half_space", "plane", "mesh", "height_field", [0, 0, 0], [1, 0, 0, 0],
              [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1e-9]], "steel", 0.5, 2, "rigid"]
    places = cli.MutatedFiles.places

    def test_scene(self):
        rng = random.Random(2008)
        text = re.sub(r"(?m)//.*$", "", (cli.SCENES / "shapes.json").read_text(encoding="utf-8"))
        mutate = cli.MutatedFiles.mutate_document
        codes = set()
        for _ in range(self.COUNT):
            path = self.write(mutate(self, json.loads(text), rng))
            codes.add(self.call("contacts", path, "--json").returncode)
        self.assertEqual(codes, {OK, BAD_INPUT})


if __name__ == "__main__":
    cli.main()
