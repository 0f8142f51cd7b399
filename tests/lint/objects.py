# SPDX-License-Identifier: Apache-2.0
"""The objects of a build folder as module/stem, and the symbols that nm sees in them."""
import pathlib
import re
import subprocess

# src/base/libbase.a.p/buf.c.o; test_buf.p/test_buf.c.o in the folder of its tests; brunt.p/src_main.c.o
LIBRARY = re.compile(r"^src/(?P<module>\w+)/lib\w+\.a\.p/(?P<stem>[\w.-]+)\.c\.o$")
UNIT = re.compile(r"^tests/unit/(?P<module>\w+)/[\w.-]+\.p/(?P<stem>test_[\w-]+)\.c\.o$")
MAIN = re.compile(r"^brunt\.p/src_main\.c\.o$")


def find(build):
    """{"base/buf": path, "unit/base/test_buf": path, "main": path}"""
    build = pathlib.Path(build)
    found = {}
    for path in sorted(build.rglob("*.c.o")):
        name = str(path.relative_to(build))
        if match := LIBRARY.match(name):
            found[f"{match['module']}/{match['stem']}"] = path
        elif match := UNIT.match(name):
            found[f"unit/{match['module']}/{match['stem']}"] = path
        elif MAIN.match(name):
            found["main"] = path
    return found


def symbols(found, *options):
    """{name: [symbol, ...]} of what find() found."""
    name_of = {str(path): name for name, path in found.items()}
    listed = {name: [] for name in found}
    if found:
        lines = subprocess.run(["nm", "-A", "-P", *options, *name_of], check=True, text=True,
                               capture_output=True).stdout.splitlines()
        for line in lines:
            path, symbol = line.split(": ", 1)
            listed[name_of[path]].append(symbol.split()[0])
    return listed
