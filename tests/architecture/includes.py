# SPDX-License-Identifier: Apache-2.0
"""Includes point the allowed way.

src/ligament has one folder a room, and ROOMS says which rooms each may include: it is the layer
table of ARCHITECTURE.md. Files directly in src/ligament (ligament.h, for users) may include all
rooms, and no room may include them, except the generated ligament/version.h. Inside src all project
includes are written from the top, "ligament/room/file.h", and name an existing file; nothing there
includes apps, tests, bench or the like; neither files nor rooms include each other in a circle.
"""

import re
from collections import defaultdict

from common import Case, Findings, find_cpp_files, main

ORDER = ["math", "geometry", "model", "collision", "constraints", "problem", "solvers", "measure",
         "steppers", "simulation", "io"]


def all_above(room):
    return set(ORDER[: ORDER.index(room)])


ROOMS = {
    "math": set(),
    "geometry": {"math"},
    "model": {"math", "geometry"},
    "collision": {"math", "geometry", "model"},
    "constraints": {"math", "geometry", "model", "collision"},
    "problem": {"math"},
    "solvers": {"math", "problem"},
    "measure": all_above("measure"),
    "steppers": all_above("steppers"),
    "simulation": all_above("simulation"),
    "io": all_above("io"),
}

TOP = "(top)"
GENERATED = {"ligament/version.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?P<open>["<])(?P<name>[^">]+)[">]', re.MULTILINE)


def room_of(name):
    """The room of "ligament/room/file.h"; TOP for "ligament/file.h"."""
    parts = name.split("/")
    return parts[1] if len(parts) > 2 else TOP


def find_cycle(graph):
    """A list of nodes that ends where it begins, or None."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        path.append(node)
        for target in sorted(graph.get(node, ())):
            cycle = visit(target)
            if cycle:
                return cycle
        path.pop()
        done.add(node)
        return None

    for start in sorted(graph):
        cycle = visit(start)
        if cycle:
            return cycle
    return None


def check_include(room, name, opening, files):
    """What is wrong with one include of a file in `room`, or None."""
    if not name.startswith("ligament/"):
        if opening == '"':
            return f'"{name}" is not written from the top, as "ligament/room/file.h"'
        if name.split("/")[0] in ("apps", "tests", "bench", "papers"):
            return f"<{name}> is outside of src"
        return None
    if name in GENERATED:
        return None
    if name not in files:
        return f'"{name}" does not exist'
    target = room_of(name)
    if room in (TOP, target):
        return None
    if target == TOP:
        return f'"{name}" is for users, not for the rooms'
    if target not in ROOMS[room]:
        return f'{room} may not include {target} ("{name}")'
    return None


def check(root):
    findings = Findings()
    source = root / "src"
    paths = find_cpp_files(root, ["src"])
    files = {path.relative_to(source).as_posix() for path in paths}
    file_graph, room_graph = defaultdict(set), defaultdict(set)

    for path in paths:
        own_name = path.relative_to(source).as_posix()
        room = room_of(own_name)
        if room != TOP and room not in ROOMS:
            findings.errors.append(f"{own_name}: {room} is not a room of the table")
            continue
        text = path.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            name = match["name"]
            problem = check_include(room, name, match["open"], files)
            if problem:
                line = text.count("\n", 0, match.start("name")) + 1
                findings.errors.append(f"src/{own_name}:{line}: {problem}")
            if name in files:
                file_graph[own_name].add(name)
                if room_of(name) != room:
                    room_graph[room].add(room_of(name))

    for what, graph in (("files", file_graph), ("rooms", room_graph)):
        cycle = find_cycle(graph)
        if cycle:
            findings.errors.append(f"{what} include each other: {' -> '.join(cycle)}")
    for room in [*ORDER, TOP]:
        if room_graph[room]:
            findings.notes.append(f"{room} includes {', '.join(sorted(room_graph[room]))}")
    findings.notes.append(f"{len(paths)} files")
    if not paths:
        findings.errors.append("src has no files")
    return findings


MATH = {"src/ligament/math/types.h": "#include <Eigen/Core>\n"}
CASES = [
    Case("clean", {
        **MATH,
        "src/ligament/model/body.h": '#include "ligament/math/types.h"\n#include <vector>\n',
        "src/ligament/io/scene.cpp": '#include "ligament/model/body.h"\n'
                                     '#include "ligament/version.h"\n',
        "src/ligament/ligament.h": '#include "ligament/model/body.h"\n',
    }, None),
    Case("upwards", {"src/ligament/math/types.h": '#include "ligament/model/body.h"\n',
                     "src/ligament/model/body.h": ""}, "math may not include model"),
    Case("a solver sees a model", {"src/ligament/solvers/direct.cpp":
                                   '#  include <ligament/model/body.h>\n',
                                   "src/ligament/model/body.h": ""},
         "solvers may not include model"),
    Case("apps", {"src/ligament/io/a.cpp": '#include "../../../apps/main.h"\n'}, "from the top"),
    Case("tests", {"src/ligament/io/a.cpp": "#include <tests/x.h>\n"}, "outside of src"),
    Case("relative", {"src/ligament/math/a.cpp": '#include "types.h"\n', **MATH}, "from the top"),
    Case("missing", {"src/ligament/math/a.cpp": '#include "ligament/math/b.h"\n'},
         "does not exist"),
    Case("umbrella", {"src/ligament/io/a.cpp": '#include "ligament/ligament.h"\n',
                      "src/ligament/ligament.h": ""}, "for users"),
    Case("new room", {"src/ligament/attic/a.cpp": ""}, "not a room"),
    Case("circle of files", {"src/ligament/math/a.h": '#include "ligament/math/b.h"\n',
                             "src/ligament/math/b.h": '#include "ligament/math/a.h"\n'},
         "files include each other"),
    Case("circle of rooms", {"src/ligament/math/a.h": '#include "ligament/model/b.h"\n',
                             "src/ligament/model/b.h": '#include "ligament/math/c.h"\n',
                             "src/ligament/math/c.h": ""},
         "rooms include each other"),
    Case("nothing to check", {"apps/a.cpp": ""}, "no files"),
]

if __name__ == "__main__":
    main(check, CASES, __doc__)
