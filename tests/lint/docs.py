#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual says what the program does: commands, options, words, and pages that format.

    docs.py BRUNT BUILT_PAGE ...
"""
import re
import shutil
import subprocess
import sys

import lint

SPELLING = re.compile(r"(?<![\w-])(--[a-z0-9][a-z0-9-]*|-[A-Za-z0-9])(?![\w-])")
# scdoc writes an empty paragraph before each list; mandoc says so each time.
SCDOC_HABIT = "skipping paragraph macro"


def run(*command):
    return subprocess.run(command, text=True, check=True, capture_output=True).stdout


def page(name):
    path = lint.ROOT / "doc" / f"{name}.scd"
    return path.read_text() if path.exists() else None


def commands_of(brunt):
    """The rows of `brunt help`: two blanks, the name, its summary."""
    rows = re.findall(r"^  ([a-z][a-z-]*)\s", run(brunt, "help"), re.M)
    return sorted(set(rows))


def options_of_page(text):
    """The spellings in the lines that open an option's paragraph: *-c*, *--connections* _N_"""
    return {spelling for line in text.splitlines() if line.startswith("*-")
            for spelling in SPELLING.findall(line)}


def problems_of_command(brunt, command):
    text = page(f"brunt-{command}.1")
    if text is None:
        yield f"doc/brunt-{command}.1.scd: missing"
        return
    known = set(run(brunt, "help", "--options", command).split())
    written = options_of_page(text)
    yield from (f"doc/brunt-{command}.1.scd: {option} has no paragraph"
                for option in sorted(known - written))
    yield from (f"doc/brunt-{command}.1.scd: {option} is no option of brunt {command}"
                for option in sorted(written - known))
    if f"*brunt-{command}*(1)" not in page("brunt.1"):
        yield f"doc/brunt.1.scd: does not name brunt-{command}(1)"


def words_of(path, name):
    """The words of an X-macro list: X(NAME, "word", ...)"""
    text = (lint.ROOT / path).read_text()
    body = re.search(rf"#define {name}\(X\)((?:.*\\\n)*.*)", text)[1]
    return re.findall(r'X\(\w+,\s*"([^"]+)"', body)


def problems_of_words():
    text = page("brunt-measuring.7")
    for path, name in (("src/base/fail.h", "FAIL_LIST"), ("src/result/result.h", "LATENCY_LIST"),
                       ("src/result/window.h", "PHASE_LIST")):
        for word in words_of(path, name):
            row_or_term = rf"^(\|  |\*(.*\*, \*)?){re.escape(word)}(\*|$)"
            if not re.search(row_or_term, text, re.M):
                yield f"doc/brunt-measuring.7.scd: the word '{word}' of {name} is not explained"


def problems_of_checks():
    code = "".join(path.read_text() for path in lint.files("src/verdict/*.c"))
    known = set(re.findall(r'"(V-[A-Z-]+)"', code))
    written = set(re.findall(r"^\*(V-[A-Z-]+)\*", page("brunt-measuring.7"), re.M))
    yield from (f"doc/brunt-measuring.7.scd: the check {check} is not explained"
                for check in sorted(known - written))
    yield from (f"doc/brunt-measuring.7.scd: {check} is no check of src/verdict"
                for check in sorted(written - known))


def problems_of_format(built):
    for path in built:
        output = subprocess.run(["mandoc", "-Tlint", "-Wwarning", path], text=True, check=False,
                                capture_output=True).stdout
        yield from (line for line in output.splitlines() if SCDOC_HABIT not in line)


def main():
    brunt, built = sys.argv[1], sys.argv[2:]
    commands = commands_of(brunt)
    problems = [*problems_of_words(), *problems_of_checks()]
    for command in commands:
        problems.extend(problems_of_command(brunt, command))
    pages = {path.name.removesuffix(".1.scd").removeprefix("brunt-")
             for path in lint.files("doc/brunt-*.1.scd")}
    problems.extend(f"doc/brunt-{name}.1.scd: brunt has no such command"
                    for name in sorted(pages - set(commands)))
    if shutil.which("mandoc") and built:
        problems.extend(problems_of_format(built))
        if len(built) != len(lint.files("doc/*.scd")):
            problems.append("doc/meson.build: does not build every page of doc/")
    elif not problems:
        lint.skip("mandoc or scdoc is not installed: options compared, format not")
    lint.verdict(problems, len(commands), "commands")


main()
