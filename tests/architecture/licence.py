# SPDX-License-Identifier: Apache-2.0
"""Every source and script file says its licence: one SPDX line among its first three lines."""

from common import CODE_FOLDERS, Case, Findings, find_files, main

MARK = "-".join(["SPDX", "License", "Identifier:"])  # in pieces: this file has its own line
LINE = f"{MARK} Apache-2.0"
TOP_LINES = 3
SUFFIXES = (".h", ".cpp", ".py", ".cmake", ".in", ".sh", ".js", ".ts", ".css")


def find_sources(root):
    sources = [path for path in find_files(root, [*CODE_FOLDERS, "cmake"])
               if path.suffix in SUFFIXES or path.name == "CMakeLists.txt"]
    scripts = find_files(root, ["scripts", ".ci"])
    top = [path for path in (root / "CMakeLists.txt",) if path.exists()]
    return sources + scripts + top


def check(root):
    findings = Findings()
    sources = find_sources(root)
    for path in sources:
        name = path.relative_to(root)
        lines = path.read_text(encoding="utf-8").splitlines()
        if not any(line.rstrip("*/-> ").endswith(LINE) for line in lines[:TOP_LINES]):
            findings.errors.append(f"{name}: no '{LINE}' among the first {TOP_LINES} lines")
        elif sum(MARK in line for line in lines) > 1:
            findings.errors.append(f"{name}: more than one SPDX line")
    findings.notes.append(f"{len(sources)} files")
    return findings


CASES = [
    Case("clean", {"src/a.cpp": f"// {LINE}\n", "scripts/b": f"#!/bin/sh\n# {LINE}\n",
                   "CMakeLists.txt": f"# {LINE}\n", "tests/data.txt": "1 2 3\n"}, None),
    Case("none", {"src/a.h": "#pragma once\n"}, "a.h: no"),
    Case("none in a script", {"scripts/b": "#!/bin/sh\n"}, "scripts/b: no"),
    Case("none in the root list", {"CMakeLists.txt": "project(X)\n"}, "CMakeLists.txt: no"),
    Case("too low", {"apps/a.cpp": f"\n\n\n// {LINE}\n"}, "a.cpp: no"),
    Case("another licence", {"src/a.cpp": f"// {MARK} MIT\n"}, "a.cpp: no"),
    Case("twice", {"src/a.cpp": f"// {LINE}\n// {LINE}\n"}, "more than one"),
]

if __name__ == "__main__":
    main(check, CASES, __doc__)
