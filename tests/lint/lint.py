# SPDX-License-Identifier: Apache-2.0
"""What the lints share: the tree's files, C text without comments and strings, and the verdict.

A lint prints a line a problem and ends with 1; one that found nothing to look at ends with 1 as
well, so that a moved folder cannot silence it. 77 is meson's "skipped".
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def files(*patterns):
    """The files below the root that match any pattern, sorted."""
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    return sorted(path for path in found if "__pycache__" not in path.parts)


def named(path):
    return str(path.relative_to(ROOT))


def rows(path):
    """The lines of a table file without comments and blank lines."""
    for line in path.read_text().splitlines():
        line = line.split("#", 1)[0].strip()
        if line:
            yield line


C_TOKEN = re.compile(
    r"""(?P<block>/\*.*?\*/)|(?P<line>//[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*")"""
    r"""|(?P<char>'(?:\\.|[^'\\\n])*')""",
    re.S,
)


def c_tokens(text):
    """(kind, line number, text) of each comment and literal."""
    for match in C_TOKEN.finditer(text):
        yield match.lastgroup, text.count("\n", 0, match.start()) + 1, match.group()


def c_code(text):
    """The text with comments blanked and literals emptied; line numbers stay."""

    def blank(match):
        lines = "\n" * match.group().count("\n")
        return {"block": " " + lines, "line": "", "string": '""', "char": "' '"}[match.lastgroup]

    return C_TOKEN.sub(blank, text)


def verdict(problems, checked, what):
    for problem in problems:
        print(problem)
    if checked == 0:
        print(f"nothing to look at: no {what}")
        sys.exit(1)
    print(f"{checked} {what}, {len(problems)} problems")
    sys.exit(1 if problems else 0)


def skip(reason):
    print(f"SKIP {reason}")
    sys.exit(77)
