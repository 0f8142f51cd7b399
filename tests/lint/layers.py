#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A module includes only modules on lines of tools/layers.txt above its own."""
import re

import lint

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"(?P<path>[^"]+)"', re.M)


def read_layers():
    level_of = {}
    for row in lint.rows(lint.ROOT / "tools/layers.txt"):
        level, *modules = row.split()
        for module in modules:
            level_of[module] = int(level)
    return level_of


def problems_of(path, module, level_of):
    for match in INCLUDE.finditer(path.read_text()):
        target = match["path"].split("/")
        where = f"{lint.named(path)}: includes \"{match['path']}\""
        if len(target) != 2:
            yield f"{where}: write it as \"module/file.h\""
        elif target[0] not in level_of:
            yield f"{where}: no module of tools/layers.txt"
        elif module is None:
            if target[0] != "cmd":
                yield f"{where}: main calls cmd and nothing else"
        elif target[0] != module and level_of[target[0]] >= level_of[module]:
            yield (f"{where}: {target[0]} (line {level_of[target[0]]}) is not above {module} "
                   f"(line {level_of[module]})")


def main():
    level_of = read_layers()
    sources = lint.files("src/**/*.c", "src/**/*.h")
    problems = []
    for path in sources:
        parts = path.relative_to(lint.ROOT / "src").parts
        module = parts[0] if len(parts) > 1 else None
        if module is not None and module not in level_of:
            problems.append(f"src/{module}: not in tools/layers.txt")
            continue
        problems.extend(problems_of(path, module, level_of))
    built = re.findall(r"'(\w+)'", re.search(r"foreach module : \[(.*?)\]",
                                             (lint.ROOT / "src/meson.build").read_text(),
                                             re.S)[1])
    if built != [module for module in level_of if module in built]:
        problems.append("src/meson.build: builds in another order than tools/layers.txt")
    lint.verdict(problems, len(sources), "sources")


main()
