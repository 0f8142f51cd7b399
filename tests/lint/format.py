#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every C file is as clang-format 14 writes it."""
import re
import shutil
import subprocess

import lint

VERSION = "14"


def main():
    tool = shutil.which(f"clang-format-{VERSION}") or shutil.which("clang-format")
    if tool is None:
        lint.skip("clang-format is not installed")
    version = re.search(r"version (\d+)", subprocess.run([tool, "--version"], text=True, check=True,
                                                         capture_output=True).stdout)[1]
    if version != VERSION:
        lint.skip(f"clang-format is version {version}, want {VERSION}")
    sources = lint.files("src/**/*.[ch]", "tests/**/*.[ch]", "bench/**/*.[ch]")
    run = subprocess.run([tool, "--style=file", "--dry-run", *map(str, sources)], text=True,
                         check=True, capture_output=True)
    problems = []
    for match in re.finditer(r"^(?P<path>[^:\n]+):(?P<line>\d+):\d+: ", run.stderr, re.M):
        problem = f"{lint.named(lint.ROOT / match['path'])}: not as clang-format -i writes it"
        if problem not in problems:
            problems.append(problem)
    lint.verdict(problems, len(sources), "C files")


main()
