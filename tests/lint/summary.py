#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/summarise-tests counts what the logs hold, and says what was skipped and what failed."""
import json
import pathlib
import subprocess
import tempfile

import lint


def meson(result, stdout="", **more):
    return json.dumps({"name": "t", "result": result, "stdout": stdout, **more})


# the log's name, its text, the last line, what must stand before it, whether it is a success
CASES = [
    ("a.json", meson("OK"), "1 passed, 0 failed, 0 skipped", "", True),
    ("a.json", meson("FAIL", returncode=1), "0 passed, 1 failed, 0 skipped", "failed   t: fail", False),
    ("a.json", meson("TIMEOUT"), "0 passed, 1 failed, 0 skipped", "failed   t: timeout", False),
    ("a.json", meson("SKIP", "SKIP no nginx\n"), "0 passed, 0 failed, 1 skipped",
     "skipped  t: no nginx", True),
    ("a.json", meson("SKIP"), "0 passed, 1 failed, 0 skipped", "said no word", False),
    ("a.json", meson("OK", "1..2\nok 1 - a\nok 2 - b # SKIP no IPv6\n"),
     "1 passed, 0 failed, 1 skipped", "skipped  t: b: no IPv6", True),
    ("a.json", meson("ERROR", "1..2\nok 1 - a\nnot ok 2 - b\n# want 1\n", returncode=1),
     "1 passed, 1 failed, 0 skipped", "failed   t: b\n    # want 1", False),
    ("a.json", meson("ERROR", "1..3\nok 1 - a\n"), "1 passed, 1 failed, 0 skipped",
     "planned 3 results, 1 came", False),
    ("a.json", meson("ERROR", "1..1\nok 1 - a\n", returncode=9), "1 passed, 1 failed, 0 skipped",
     "failed   t: error, exit 9", False),
    ("a.json", meson("SKIP", "1..0 # SKIP no wrk\n"), "0 passed, 0 failed, 1 skipped", "no wrk", True),
    ("tidy.tap", "1..2\nok 1 - a.c\nnot ok 2 - b.c\n", "1 passed, 1 failed, 0 skipped",
     "failed   tidy: b.c", False),
    ("steps.tap", "", "0 passed, 0 failed, 0 skipped", "", False),
]


def problems_of(case, folder):
    name, text, last, before, success = case
    log = pathlib.Path(folder) / name
    log.write_text(text)
    run = subprocess.run([lint.ROOT / "tools/summarise-tests", log], text=True, check=False,
                         capture_output=True)
    body, _, line = run.stdout.rstrip("\n").rpartition("\n")
    if line != last or before not in body or (run.returncode == 0) != success:
        yield f"{text!r}: exit {run.returncode}: {run.stdout!r}{run.stderr[-300:]}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        problems = [problem for case in CASES for problem in problems_of(case, folder)]
    lint.verdict(problems, len(CASES), "logs")


main()
