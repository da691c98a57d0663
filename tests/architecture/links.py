# SPDX-License-Identifier: Apache-2.0
"""Relative links in the pages of the project point to files, and to headings, that exist.

Pages: *.md at the top, and all *.md below docs, bench and papers. Links to the web are not
followed; code and formulas are not looked at.
"""

import re
from urllib.parse import unquote

from common import Case, Findings, find_files, main

CODE = re.compile(r"^([ \t]*)(`{3,}|~{3,}).*?^[ \t]*\2[ \t]*$|(`+)(?!`).+?(?<!`)\3(?!`)",
                  re.DOTALL | re.MULTILINE)
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL)
INLINE = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)", re.MULTILINE)
HTML = re.compile(r"<(?:img|a)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)
ANCHOR = re.compile(r"<\w+\b[^>]*?\b(?:id|name)=\"([^\"]+)\"")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def find_anchors(text):
    """The names of headings, as web pages of repositories make them, and explicit anchors."""
    anchors = set(ANCHOR.findall(text))
    for heading in HEADING.findall(re.sub(r"^([ \t]*)(```|~~~).*?^[ \t]*\2[ \t]*$", blank, text,
                                          flags=re.DOTALL | re.MULTILINE)):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while (slug if number == 0 else f"{slug}-{number}") in anchors:
            number += 1
        anchors.add(slug if number == 0 else f"{slug}-{number}")
    return anchors


def check_link(root, page, link):
    """What is wrong with a link of a page, or None."""
    target, _, anchor = unquote(link).partition("#")
    if re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.IGNORECASE):
        return None
    if target.startswith("/"):
        return "is absolute"
    path = (page.parent / target).resolve() if target else page
    if not path.is_relative_to(root):
        return "leaves the project"
    if not path.exists():
        return "does not exist"
    if anchor and path.suffix == ".md" and \
            anchor not in find_anchors(path.read_text(encoding="utf-8")):
        return f"has no heading #{anchor}"
    return None


def check(root):
    findings = Findings()
    pages = sorted(root.glob("*.md")) + find_files(root, ["docs", "bench", "papers"], (".md",))
    if not pages:
        findings.errors.append("there are no pages")
    links = 0
    for page in pages:
        text = FORMULA.sub(blank, CODE.sub(blank, page.read_text(encoding="utf-8")))
        for pattern in (INLINE, REFERENCE, HTML):
            for match in pattern.finditer(text):
                links += 1
                problem = check_link(root, page, match[1])
                if problem:
                    line = text.count("\n", 0, match.start(1)) + 1
                    findings.errors.append(
                        f"{page.relative_to(root)}:{line}: {match[1]} {problem}")
    findings.notes.append(f"{len(pages)} pages, {links} links")
    return findings


CASES = [
    Case("clean", {
        "README.md": "# Top\n[a](docs/a.md#the-long-way) [w](https://x.example) [t](#top)\n"
                     "![p](docs/p%20q.svg \"title\") `[no](gone.md)` $[x](y)$\n"
                     "```\n[no](gone.md)\n```\n[r]: docs/a.md\n",
        "docs/a.md": "## The long (way)\n[up](../README.md)\n",
        "docs/p q.svg": "",
    }, None),
    Case("missing file", {"README.md": "\n[a](docs/gone.md)\n"}, "README.md:2: docs/gone.md does"),
    Case("missing picture", {"docs/a.md": "![p](p.png)\n"}, "p.png does not exist"),
    Case("missing by reference", {"ARCHITECTURE.md": "[r]: gone.md\n"}, "gone.md does not exist"),
    Case("missing in html", {"README.md": '<img src="x.svg">\n'}, "x.svg does not exist"),
    Case("missing heading", {"README.md": "# A\n[b](#b)\n"}, "no heading #b"),
    Case("outside", {"docs/theory/a.md": "[a](../../../b.md)\n"}, "leaves the project"),
    Case("absolute", {"README.md": "[a](/etc/hosts)\n"}, "is absolute"),
    Case("nothing to check", {"src/a.cpp": ""}, "no pages"),
]

if __name__ == "__main__":
    main(check, CASES, __doc__)
