# SPDX-License-Identifier: Apache-2.0
"""Every equation tag that the code cites is defined once in docs/theory.

A tag is two or three capitals, a dot and a number in square brackets, SP.3 or SP.3a for example.
Definition: a line of docs/theory/*.md that begins with the tag in bold, **[SP.3]**, anywhere in a
quotation or list; or a line with an anchor <a id="SP.3">. Citation: the tag in a file of src, apps,
tests, bench, python or papers, one tag a bracket. A tag defined twice is an error. Tags that no
code cites are listed for information.
"""

import re
from collections import defaultdict

from common import CODE_FOLDERS, Case, Findings, find_files, main

TAG = r"[A-Z]{2,3}\.\d+[a-z]?"
CITATION = re.compile(rf"\[({TAG})\]")
LOOKS_LIKE_CITATION = re.compile(r"\[[A-Z]{2,3}\.\d[^\]\n]*\]")
DEFINITION = re.compile(rf"^[\s>*+-]*?\*\*\[({TAG})\]\*\*|<a id=\"({TAG})\"")
SUFFIXES = (".h", ".cpp", ".py", ".js", ".ts")


def find_definitions(root, findings):
    """Tag to the place of its definition."""
    places = {}
    for path in sorted((root / "docs" / "theory").rglob("*.md")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            place = f"{path.relative_to(root)}:{number}"
            for tag in {first or second for first, second in DEFINITION.findall(line)}:
                if tag in places:
                    findings.errors.append(
                        f"{place}: [{tag}] is already defined at {places[tag]}")
                places.setdefault(tag, place)
    return places


def check(root):
    findings = Findings()
    defined = find_definitions(root, findings)
    cited = defaultdict(list)
    for path in find_files(root, CODE_FOLDERS, SUFFIXES):
        name = path.relative_to(root).as_posix()
        if name.startswith("tests/architecture/"):
            continue  # speaks of tags, cites none
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            for text in LOOKS_LIKE_CITATION.findall(line):
                match = CITATION.fullmatch(text)
                if not match:
                    findings.errors.append(f"{name}:{number}: {text} is no tag: one a bracket")
                elif match[1] not in defined:
                    findings.errors.append(f"{name}:{number}: {text} is not in docs/theory")
                else:
                    cited[match[1]].append(name)

    unused = [tag for tag in defined if tag not in cited]
    findings.notes.append(f"{len(defined)} tags defined, {len(cited)} of them cited by code")
    if unused:
        findings.notes.append(f"cited by no code: {', '.join(unused)}")
    return findings


DOCS = {"docs/theory/spook.md": "# Spook\n\n**[SP.1]** a = b, as in [SP.2]\n\n> **[SP.2a]** c\n"}
CASES = [
    Case("clean", {**DOCS, "src/ligament/a.cpp": "// [SP.1] and [SP.2a], m[AB.x], v[I.1]\n"},
         None),
    Case("anchor", {"docs/theory/x.md": 'see <a id="RX.7"></a>\n', "apps/a.cpp": "// [RX.7]\n"},
         None),
    Case("unknown tag", {**DOCS, "src/ligament/a.cpp": "// [SP.9]\n"}, "[SP.9] is not in"),
    Case("cited in the docs only", {**DOCS, "tests/laws/a.cpp": "// [SP.2]\n"},
         "[SP.2] is not in"),
    Case("no docs", {"bench/a.cpp": "// [SP.1]\n"}, "a.cpp:1: [SP.1] is not in"),
    Case("two in a bracket", {**DOCS, "src/a.h": "// [SP.1, SP.2a]\n"}, "one a bracket"),
    Case("defined twice", {**DOCS, "docs/theory/b.md": "**[SP.1]** x\n"}, "already defined"),
]

if __name__ == "__main__":
    main(check, CASES, __doc__)
