# SPDX-License-Identifier: Apache-2.0
"""Debian's ab and `brunt ab`, run with the same words."""

import os
import re
import subprocess

from harness import BRUNT, clean_environment, need, scratch

OURS = [BRUNT, "ab"]
BODY = b'{"a": 1, "b": [2, 3]}\n'


class Done:
    """What a run of either tool gave."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __str__(self):
        return "exit %d\nstdout: %s\nstderr: %s" % (self.code, self.out, self.err)

    def field(self, name):
        """What follows the name and its colon, up to the end of the line; None when there is no such line."""
        found = re.search(r"^%s:\s+(.*)$" % re.escape(name), self.out, re.M)
        return found and found[1]

    def number(self, name):
        return float(re.match(r"[\d.]+", self.field(name))[0])


def run(tool, *options, timeout=60):
    done = subprocess.run(list(tool) + list(options), stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
                          env=clean_environment())
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def theirs():
    return [need("ab")]


def both(*options, **more):
    return run(theirs(), *options, **more), run(OURS, *options, **more)


def post_file():
    path = os.path.join(scratch(), "body.json")
    with open(path, "wb") as file:
        file.write(BODY)
    return path


def shape(out):
    """The lines without their numbers. ab's banner is not brunt's, its warnings speak of rounding."""
    lines = out.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("Benchmarking") or line == "<p>" and i > 0)
    lines = [line for line in lines[begin:] if not re.match(r"(WARNING|ERROR|        ?These|       dev)", line)]
    return [" ".join(re.sub(r"\d+(\.\d+)?", "#", line).split()) for line in lines]
