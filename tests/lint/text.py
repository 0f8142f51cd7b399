#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What can be seen in the text of a file: length, name, licence, comments, marks, test hooks."""
import re

import lint

LINES_MAX = 600
OWNERLESS = {"util", "utils", "helper", "helpers", "common", "manager", "handler", "misc"}
MARKS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
BANNER = re.compile(r"[=*#~-]{6,}")
HOOK = re.compile(r"^[ \t]*#[ \t]*if.*\b(TEST|TESTING|UNIT_?TESTS?)\b", re.M)


def in_any_file(path, lines):
    name = lint.named(path)
    if len(lines) > LINES_MAX:
        yield f"{name}: {len(lines)} lines, at most {LINES_MAX}: which noun can leave?"
    if OWNERLESS & set(re.split(r"[_.-]", path.name.lower())):
        yield f"{name}: a name for code without an owner"
    licensed = any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:2])
    if not licensed and path.name != "meson.build":
        yield f"{name}: no SPDX line at the top"
    for number, line in enumerate(lines, 1):
        if MARKS.search(line) and path.name != "text.py":
            yield f"{name}:{number}: an open mark; file an issue or do it"
        if line != line.rstrip():
            yield f"{name}:{number}: blanks at the end"


def in_c_file(path, text):
    name = lint.named(path)
    for kind, number, token in lint.c_tokens(text):
        if kind == "line":
            yield f"{name}:{number}: a // comment"
        elif kind == "block" and BANNER.search(token):
            yield f"{name}:{number}: a banner"
    for match in HOOK.finditer(text):
        yield f"{name}:{text.count(chr(10), 0, match.start()) + 1}: a hook for tests only"
    if path.suffix == ".h" and path.is_relative_to(lint.ROOT / "src"):
        guard = "_".join(path.relative_to(lint.ROOT / "src").with_suffix("").parts).upper() + "_H"
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            yield f"{name}: no guard {guard}"


def main():
    problems = []
    paths = lint.files("src/**/*.[ch]", "tests/**/*.[ch]", "bench/**/*", "tests/**/*.py", "tools/*",
                       "meson.build", "meson_options.txt", "src/**/meson.build",
                       "tests/**/meson.build", "doc/meson.build", "Makefile", ".ci/run")
    checked = 0
    for path in paths:
        if path.suffix in (".txt", ".json", ".md") and path.name != "meson_options.txt":
            continue
        text = path.read_text()
        checked += 1
        problems.extend(in_any_file(path, text.splitlines()))
        if path.suffix in (".c", ".h"):
            problems.extend(in_c_file(path, text))
    lint.verdict(problems, checked, "files")


main()
