#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bad input: exit 2, one line that says what and why, nothing on stdout, nothing sent."""

import os
import sys

from harness import Script, add_case, always, answer, brunt, case, equal, expect, main, scratch

# Arguments after `run --no-store`, URL stands for a server that counts what arrives; then words
# (any letter case) that the line must hold.
BAD = [
    # the target
    ([""], ["target"]),
    (["-n", "5"], ["target"]),
    (["-n", "5", ""], ["target"]),
    (["-n", "5", "   "], []),
    (["-n", "5", "htt"], ["htt"]),
    (["-n", "5", "ftp://127.0.0.1/"], ["ftp"]),
    (["-n", "5", "http://"], []),
    (["-n", "5", "http://:80/"], []),
    (["-n", "5", "http://127.0.0.1:99999/"], ["port", "99999"]),
    (["-n", "5", "http://127.0.0.1:0/"], ["port"]),
    (["-n", "5", "http://127.0.0.1:abc/"], ["port"]),
    (["-n", "5", "http://[::1/"], []),
    (["-n", "5", "http://[zz]/"], []),
    (["-n", "5", "http://127.0.0.1/a\tb\r\nX: y"], []),
    (["-n", "5", "http://a b/"], []),
    (["-n", "5", "URL", "URL"], ["target"]),
    (["-n", "5", "/no/such/plan.yaml"], ["plan.yaml"]),
    # numbers
    (["-n", "0", "URL"], ["-n", "0"]),
    (["-n", "-5", "URL"], ["-n"]),
    (["-n", "1.5", "URL"], ["1.5"]),
    (["-n", "many", "URL"], ["many"]),
    (["-n", "99999999999999999999", "URL"], []),
    (["-n", "", "URL"], ["-n"]),
    (["-c", "0", "URL"], ["-c", "0"]),
    (["-c", "-1", "URL"], ["-c"]),
    (["-c", "ten", "URL"], ["ten"]),
    (["-c", "5x", "URL"], ["5x"]),
    (["-c"], ["-c"]),
    (["URL", "-c"], ["-c"]),
    (["-t", "0", "URL"], ["-t"]),
    (["-t", "1000", "URL"], ["threads"]),
    (["-t", "10s", "URL"], ["10s"]),
    # times
    (["-d", "0", "URL"], ["-d"]),
    (["-d", "-3s", "URL"], ["-d"]),
    (["-d", "10x", "URL"], ["10x"]),
    (["-d", "10 parsecs", "URL"], ["parsecs"]),
    (["-d", "nan", "URL"], ["-d"]),
    (["-d", "inf", "URL"], ["-d"]),
    (["-d", "1e400", "URL"], []),
    (["-d", "", "URL"], ["-d"]),
    (["--timeout", "0", "URL"], ["timeout"]),
    (["--timeout", "-1s", "URL"], ["-1s"]),
    (["--connect-timeout", "0", "URL"], ["connect-timeout"]),
    (["--warmup", "soon", "URL"], ["soon"]),
    (["--ramp", "x", "URL"], ["ramp"]),
    (["--drain", "x", "URL"], ["drain"]),
    # the request
    (["-X", "GET ME", "URL"], ["method"]),
    (["-X", "", "URL"], []),
    (["-H", "no colon", "URL"], ["no colon"]),
    (["-H", ": value", "URL"], []),
    (["-H", "Bad Name: x", "URL"], ["bad name"]),
    (["-H", "X: a\r\nY: b", "URL"], []),
    (["--data", "@/no/such/file", "URL"], ["/no/such/file"]),
    (["--data", "@/", "URL"], ["/"]),
    (["--http", "3.0", "URL"], ["3.0"]),
    (["--expect-status", "two hundred", "URL"], ["two hundred"]),
    (["--expect-status", "99", "URL"], ["99"]),
    (["--expect-status", "300-200", "URL"], []),
    (["--bind", "not-an-address", "URL"], ["not-an-address"]),
    (["--bind", "127.0.0.2,", "URL"], []),
    (["--bind", "198.51.100.7", "URL"], ["198.51.100.7"]),
    (["--unix", "", "URL"], []),
    (["--unix", "/" + "x" * 200, "URL"], []),
    (["--header"], ["header"]),
    # judging and outputs
    (["--slo", "p95", "URL"], ["p95"]),
    (["--slo", "p101<5ms", "URL"], ["p101"]),
    (["--slo", "p95<fast", "URL"], ["fast"]),
    (["--slo", "speed<5ms", "URL"], ["speed"]),
    (["--slo", "p95<", "URL"], []),
    (["--percentiles", "50,abc", "URL"], ["abc"]),
    (["--percentiles", "101", "URL"], ["101"]),
    (["--progress", "loud", "URL"], ["loud"]),
    (["--color", "blue", "URL"], ["blue"]),
    (["--seed", "x", "URL"], ["seed"]),
    (["--tag", "novalue", "URL"], ["novalue"]),
    # options that are not there
    (["--no-such-option", "URL"], ["no-such-option"]),
    (["--conections", "5", "URL"], ["connections"]),
    (["-Q", "URL"], ["-Q"]),
    (["--close=maybe", "URL"], ["close"]),
]


def bad(arguments, words):
    server = Script(always(answer()))
    filled = [server.url if a == "URL" else a for a in arguments]
    run = brunt("run", "--no-store", *filled, timeout=15)
    equal(run.code, 2, "exit code", run)
    equal(run.out, "", "stdout", run)
    lines = run.err.splitlines()
    equal(len(lines), 1, "lines on stderr", run)
    expect(run.err.endswith("\n"), "the line ends", repr(run.err))
    expect(lines[0].startswith("brunt"), "the line begins with the program's name", run)
    expect(len(lines[0]) < 400, "the line is short", run)
    for word in words:
        expect(word.lower() in lines[0].lower(), "the line names %r" % word, run)
    expect(all(c.isprintable() for c in lines[0]), "the line has no control bytes", repr(run.err))
    equal((server.connections, server.requests), (0, 0), "connections and requests at the server", run)
    expect(run.wall < 3, "at once", run)


for _arguments, _words in BAD:
    _text = " ".join(repr(a)[1:-1][:40] or "''" for a in _arguments).replace("#", "number")
    add_case("exit 2: run " + _text, bad, _arguments, _words)


@case("a target made of an empty variable is caught, whatever stands beside it")
def empty_variable():
    for arguments in (["run", "-c", "5", "-d", "1s", ""], ["run", ""], ["-c", "5", ""], [""]):
        run = brunt(*arguments, timeout=15)
        equal(run.code, 2, "exit code of %s" % arguments, run)
        equal(run.out, "", "stdout of %s" % arguments, run)


@case("an unknown command is named, with the nearest one")
def unknown_command():
    run = brunt("rnu", "--help", timeout=15)
    equal(run.code, 2, "exit code", run)
    expect("rnu" in run.err, "the word is named", run)


@case("serve takes no bad input either")
def serve():
    for arguments, word in ((["--listen", "nowhere"], "nowhere"), (["--listen", "127.0.0.1:99999"], "99999"),
                            (["--threads", "0"], "threads"), (["--workers", "-1"], "workers"), (["--cpu", "x"], "x"),
                            (["--freeze", "1s"], "freeze"), (["--no-such"], "no-such"), (["surplus"], "surplus")):
        run = brunt("serve", *arguments, timeout=15)
        equal(run.code, 2, "exit code of serve %s" % arguments, run)
        equal(len(run.err.splitlines()), 1, "lines on stderr", run)
        expect(word in run.err, "the line names %r" % word, run)


@case("a folder as an output, or one that is not there, is known before the start")
def outputs():
    server = Script(always(answer()))
    for option in ("--json", "--csv", "--hgrm", "--samples"):
        run = brunt("run", "--no-store", "-n", "5", option, os.path.join(scratch(), "no", "such", "folder", "x"), server.url)
        expect(run.code in (2, 5), "exit code with %s" % option, run)
        expect("folder" in run.err, "the path is named", run)


sys.exit(main())
