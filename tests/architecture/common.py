# SPDX-License-Identifier: Apache-2.0
"""What the checks of the source tree share: files, C++ without its comments, and the command line.

A check is a function `check(root) -> Findings`. `main` runs it on `--root`, prints what it found
and fails on errors. `--self-test` runs it on small trees with planted violations instead: each must
be caught, and the clean tree must pass, so that no check can rot into one that always says yes.
"""

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

CODE_FOLDERS = ("src", "apps", "tests", "bench", "python", "viewer", "papers")
MADE_FOLDERS = ("build", "dist", "node_modules", "__pycache__")
CPP_SUFFIXES = (".h", ".cpp")


@dataclass
class Findings:
    """Errors fail the check, notes are for information."""

    errors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass
class Case:
    """A planted tree: file name to text, and a piece of the error that must come (None: none)."""

    name: str
    files: dict[str, str]
    expected: str | None


def find_files(root, folders, suffixes=None):
    """All files below the folders, sorted, without build trees and caches."""
    found = []
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            made = any(part in MADE_FOLDERS or part.startswith("build-")
                       for part in path.relative_to(root).parts[:-1])
            if path.is_file() and not made and (suffixes is None or path.suffix in suffixes):
                found.append(path)
    return found


def find_cpp_files(root, folders=CODE_FOLDERS):
    return find_files(root, folders, CPP_SUFFIXES)


_TOKEN = re.compile(
    r'R"(?P<delimiter>[^\s()\\]{0,16})\(.*?\)(?P=delimiter)"'  # raw string
    r'|"(?:\\.|[^"\\\n])*"'  # string
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'"  # character, not a digit separator
    r"|//[^\n]*"  # comment
    r"|/\*.*?\*/",
    re.DOTALL,
)


def blank_comments_and_strings(text):
    """The same lines with every comment, string and character literal replaced by spaces."""
    return _TOKEN.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def main(check, cases, description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--self-test", action="store_true", help="check that violations are caught")
    arguments = parser.parse_args()
    sys.exit(_self_test(check, cases) if arguments.self_test else _run(check, arguments.root))


def _run(check, root):
    findings = check(root.resolve())
    for note in findings.notes:
        print(note)
    for error in findings.errors:
        print(f"error: {error}")
    print(f"{len(findings.errors)} errors")
    return 1 if findings.errors else 0


def _self_test(check, cases):
    failed = 0
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            for name, text in case.files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            errors = check(root).errors
        if case.expected is None:
            good = not errors
        else:
            good = any(case.expected in error for error in errors)
        failed += not good
        print(f"{'ok' if good else 'NOT OK'}: {case.name}")
        if not good:
            print(f"  expected {case.expected or 'no error'!r}, got {errors}")
    print(f"{len(cases)} cases, {failed} failed")
    return 1 if failed else 0
