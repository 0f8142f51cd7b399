# SPDX-License-Identifier: Apache-2.0
"""Cases that are sentences, expectations, and TAP on stdout.

A test file is a list of functions marked @case("a sentence"); main() runs them in order. A case
fails by raising, is skipped by raising Skip. What it starts is registered with at_end() and ends
with it.
"""

import atexit
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BRUNT = os.environ.get("BRUNT") or os.path.join(ROOT, "build", "brunt")


class Skip(Exception):
    """Raised by a case that cannot run here; the text says why."""


class Failed(Exception):
    """Raised by a case whose expectation does not hold."""


# Expectations.


def expect(condition, text, *details):
    if not condition:
        raise Failed("\n".join([text] + [str(d) for d in details]))


def equal(got, want, what, *details):
    if got != want:
        raise Failed("\n".join(["%s: got %r, want %r" % (what, got, want)] + [str(d) for d in details]))


def between(got, low, high, what, *details):
    if got is None or not low <= got <= high:
        text = "%s: got %r, want %r..%r" % (what, got, low, high)
        raise Failed("\n".join([text] + [str(d) for d in details]))


# --- cases and TAP ------------------------------------------------------------------------------

_cases = []
on_fault = []  # each gives a text that helps to understand a case that stumbled


def case(sentence, *arguments):
    """Registers a function as a case; extra arguments are handed to it."""

    def mark(function):
        _cases.append((sentence, function, arguments))
        return function

    return mark


def add_case(sentence, function, *arguments):
    _cases.append((sentence, function, arguments))


def note(text):
    """A line of comment in the TAP output."""
    for line in str(text).splitlines():
        print("# " + line, flush=True)


def main():
    """Runs the cases whose sentence holds every word of the command line; TAP on stdout."""
    words = sys.argv[1:]
    if not os.access(BRUNT, os.X_OK):
        print("1..0 # SKIP no brunt at %s" % BRUNT)
        return 0
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    # What a shell runs in the background begins with it ignored, and so would all that is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    chosen = [c for c in _cases if all(word in c[0] for word in words)]
    print("TAP version 13\n1..%d" % len(chosen), flush=True)
    bad = 0
    for number, (sentence, function, arguments) in enumerate(chosen, 1):
        began = time.monotonic()
        try:
            function(*arguments)
            print("ok %d - %s" % (number, sentence), flush=True)
        except Skip as why:
            print("ok %d - %s # SKIP %s" % (number, sentence, why), flush=True)
        except Exception as why:
            bad += 1
            print("not ok %d - %s" % (number, sentence), flush=True)
            note(why if isinstance(why, Failed) else traceback.format_exc())
            if not isinstance(why, Failed):
                for tell in on_fault:
                    note(tell())
        finally:
            scrap()
        took = time.monotonic() - began
        if took > 5:
            note("took %.1f s" % took)
    # meson reads the lines, and takes another exit code for a crash.
    return 1 if bad and "MESON_TEST_ITERATION" not in os.environ else 0


# Things to clean up, newest first.

_scrap = []  # of the running case
_kept = []  # of the file


def at_end(function):
    """Calls function when the running case is over, whatever came of it."""
    _scrap.append(function)


def scrap(things=_scrap):
    while things:
        with contextlib.suppress(Exception):
            things.pop()()


atexit.register(scrap, _kept)
atexit.register(scrap)


def once(start):
    """A function that gives what start() gave, which runs at the first call only. What start() left to
    at_end() ends with the file and not with the case: for a server that takes seconds to start."""
    made = []

    def get():
        if not made:
            before = len(_scrap)
            try:
                made.append(start())
            finally:
                _kept.extend(_scrap[before:])
                del _scrap[before:]
        return made[0]

    return get


def scratch():
    """A folder of the running case, readable by the servers' own users."""
    path = tempfile.mkdtemp(prefix="brunt-it-")
    os.chmod(path, 0o755)
    at_end(lambda: shutil.rmtree(path, ignore_errors=True))
    return path
