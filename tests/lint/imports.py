#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which object may call which symbol of the C library: tools/imports.txt."""
import fnmatch
import re
import sys

import lint
import objects

FORTIFIED = re.compile(r"^__(?P<name>\w+?)_chk$")
VERSIONED = re.compile(r"^__isoc\d+_(?P<name>\w+)$")


def read_rules():
    """[(symbol patterns, object patterns)]"""
    rules = []
    for row in lint.rows(lint.ROOT / "tools/imports.txt"):
        names, callers = row.split(":", 1)
        callers = callers.split()
        rules.append((names.split(), [] if callers == ["nobody"] else callers))
    return rules


def plain(symbol):
    symbol = symbol.split("@")[0]
    for pattern in (FORTIFIED, VERSIONED):
        if match := pattern.match(symbol):
            symbol = match["name"]
    return symbol


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def main():
    rules = read_rules()
    problems = []
    found = objects.find(sys.argv[1])
    for name, symbols in objects.symbols(found, "-u").items():
        for symbol in symbols:
            for names, callers in rules:
                if matches(plain(symbol), names) and not matches(name, callers):
                    owner = " ".join(callers) or "nobody"
                    problems.append(f"{name}: calls {plain(symbol)}: for {owner} only")
    lint.verdict(problems, len(found), "objects")


main()
