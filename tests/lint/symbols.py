#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The file is the noun: what foo.c exports is foo or foo_*.

Also good: the module before it (plan/check.c has plan_check()), the noun of a header that the file
is a part of (http/h1_body.c beside http/h1.h has h1_*()), and what tools/symbols.txt excuses.
"""
import fnmatch
import sys

import lint
import objects


def read_excuses():
    excuses = []
    for row in lint.rows(lint.ROOT / "tools/symbols.txt"):
        name, patterns = row.split(":", 1)
        excuses.extend((name.strip(), pattern) for pattern in patterns.split())
    return excuses


def nouns(name):
    module, stem = name.split("/")
    yield stem
    yield f"{module}_{stem}"
    if stem.endswith("s"):
        yield stem[:-1]
    for cut in range(len(stem)):
        if stem[cut] == "_" and (lint.ROOT / f"src/{module}/{stem[:cut]}.h").exists():
            yield stem[:cut]


def main():
    excuses = read_excuses()
    used = set()
    problems = []
    found = {name: path for name, path in objects.find(sys.argv[1]).items()
             if name.count("/") == 1}
    for name, symbols in objects.symbols(found, "-g", "--defined-only").items():
        allowed = list(nouns(name))
        for symbol in symbols:
            if any(symbol == noun or symbol.startswith(noun + "_") for noun in allowed):
                continue
            excuse = [row for row in excuses
                      if fnmatch.fnmatch(name, row[0]) and fnmatch.fnmatch(symbol, row[1])]
            used.update(excuse)
            if not excuse:
                problems.append(f"src/{name}.c: exports {symbol}, which is not {allowed[0]}_*")
    problems.extend(f"tools/symbols.txt: {row[0]}: {row[1]} excuses nothing"
                    for row in excuses if row not in used)
    lint.verdict(problems, len(found), "objects")


main()
