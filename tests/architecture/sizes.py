# SPDX-License-Identifier: Apache-2.0
"""Files, headers, functions and lines keep to the limits, and their distribution is printed.

Limits: file 700 lines, header 300, function 120 (a function above 80 is listed: it should be a
table or a story, and say so in a comment), line 100 columns. Functions are found by their braces: a
block whose opening text holds a parameter list, in the scope of a namespace or type. It is a
heuristic: it does not see functions that macros make, and takes a function from the first line of
its signature to its closing brace.
"""

import re

from common import CODE_FOLDERS, Case, Findings, blank_comments_and_strings, find_files, main

MAX_FILE, MAX_HEADER, MAX_FUNCTION, LONG_FUNCTION, MAX_COLUMNS = 700, 300, 120, 80, 100
SUFFIXES = (".h", ".cpp", ".py", ".cmake")

SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
FUNCTION_NAME = re.compile(r"(operator\s*\(\)|operator[^\w\s(]+|[~\w:]+)\s*\(")
NOT_A_FUNCTION = re.compile(r"=\s*$|\breturn\b")
NO_PART_OF_IT = re.compile(r"\s*((public|private|protected)\s*:\s*)?")
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)


def match_brace(text, opening):
    """The position of the brace that closes the one at `opening`, or the end of the text."""
    depth = 0
    for position in range(opening, len(text)):
        if text[position] == "{":
            depth += 1
        elif text[position] == "}":
            depth -= 1
            if depth == 0:
                return position
    return len(text) - 1


def opens_scope(head):
    """Whether a block that begins so is a namespace or a type."""
    return not head.strip() or ("(" not in head and bool(SCOPE.search(head)))


def goes_on(head, after):
    """Whether a block is a part of what opens another: f(A a = {}) { or X() : a{1}, b{2} {."""
    return head.count("(") != head.count(")") or ("(" in head and after.lstrip()[:1] in (",", "{"))


def find_functions(text):
    """(first line, last line, name) of each function."""
    text = blank_comments_and_strings(text)
    text = PREPROCESSOR.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    functions = []
    start = position = 0  # start: where the text that opens the next block begins
    while position < len(text):
        if text[position] in ";}":
            start = position + 1
        elif text[position] == "{":
            head = text[start:position]
            if opens_scope(head):
                start = position + 1
            else:
                end = match_brace(text, position)
                position = end
                if not goes_on(head, text[end + 1:end + 200]):
                    name = FUNCTION_NAME.search(head)
                    if name and not NOT_A_FUNCTION.search(head):
                        first = start + NO_PART_OF_IT.match(head).end()
                        functions.append((text.count("\n", 0, first) + 1,
                                          text.count("\n", 0, end) + 1, name[1]))
                    start = end + 1
        position += 1
    return functions


def describe(what, sizes):
    if not sizes:
        return f"{what}: none"
    sizes = sorted(sizes)
    p90 = sizes[min(len(sizes) - 1, int(0.9 * len(sizes)))]
    return f"{what}: {len(sizes)}, median {sizes[len(sizes) // 2]}, p90 {p90}, max {sizes[-1]}"


def check(root):
    findings = Findings()
    file_sizes, header_sizes, function_sizes, long_functions = [], [], [], []
    for path in find_files(root, CODE_FOLDERS, SUFFIXES):
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for number, line in enumerate(lines, start=1):
            if len(line) > MAX_COLUMNS:
                findings.errors.append(f"{name}:{number}: {len(line)} columns, limit {MAX_COLUMNS}")
        limit = MAX_HEADER if path.suffix == ".h" else MAX_FILE
        if len(lines) > limit:
            findings.errors.append(f"{name}: {len(lines)} lines, limit {limit}")
        if path.suffix not in (".h", ".cpp"):
            continue
        (header_sizes if path.suffix == ".h" else file_sizes).append(len(lines))
        for first, last, function in find_functions(text):
            size = last - first + 1
            function_sizes.append(size)
            if size > MAX_FUNCTION:
                findings.errors.append(
                    f"{name}:{first}: {function} has {size} lines, limit {MAX_FUNCTION}")
            elif size > LONG_FUNCTION:
                long_functions.append(f"  {name}:{first}: {function}, {size} lines")

    findings.notes += [
        describe("files (.cpp)", file_sizes),
        describe("headers", header_sizes),
        describe("functions", function_sizes),
        describe("lines of C++ a file", file_sizes + header_sizes),
    ]
    if long_functions:
        findings.notes += [f"functions above {LONG_FUNCTION} lines:", *long_functions]
    return findings


def function_of(lines):
    return "  f(0);\n" * (lines - 2)


CASES = [
    Case("clean", {
        "src/a.cpp": "namespace a {\nint f(int x) {\n" + function_of(120) + "}\n}  // a\n",
        "src/a.h": "// ∑ λ_i " + "λ" * 80 + "\n" * 299,
        "src/table.cpp": "constexpr int table[] = {\n" + "  1,\n" * 500 + "};\n",
        "src/braces.cpp": 'const char* s = "{";  // {\nchar c = \'{\';\nauto r = R"(\n{)";\n'
                          "int f() {\n" + function_of(100) + "}\nint g() {\n"
                          + function_of(100) + "}\n",
    }, None),
    Case("file", {"src/a.cpp": "\n" * 701}, "701 lines, limit 700"),
    Case("header", {"src/a.h": "\n" * 301}, "301 lines, limit 300"),
    Case("column", {"apps/a.cpp": "// " + "x" * 98 + "\n"}, "101 columns"),
    Case("function", {"tests/a.cpp": "\nvoid f(int x) {\n" + function_of(121) + "}\n"},
         "a.cpp:2: f has 121 lines"),
    Case("method", {"src/a.cpp": "namespace {\nstruct A {\n  template <class T>\n  void f(T x) "
                                 "const {\n" + function_of(120) + "}\n};\n}\n"},
         "a.cpp:3: f has 121 lines"),
    Case("constructor", {"src/a.cpp": "A::A(int x) : a{x}, b{x}, c(2) {\n" + function_of(121)
                                      + "}\n"}, "a.cpp:1: A::A has 121 lines"),
    Case("default argument", {"src/a.cpp": "class A {\n public:\n  int operator()(B b = {}) {\n"
                                           + function_of(121) + "}\n};\n"},
         "a.cpp:3: operator() has 121 lines"),
    Case("test", {"tests/a.cpp": "TEST(Laws, parabola) {\n" + function_of(121) + "}\n"},
         "TEST has 121 lines"),
    Case("struct in a signature", {"src/a.cpp": "void f(const struct X& x) {\n"
                                   + function_of(121) + "}\n"}, "f has 121 lines"),
]

if __name__ == "__main__":
    main(check, CASES, __doc__)
