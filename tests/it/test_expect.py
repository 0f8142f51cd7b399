#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a good answer is: its length and a text in it, however the answer comes."""

import sys
import time

from harness import Nginx, Script, always, answer, brunt, case, equal, expect, good_load, load, main

TEXT = "state: \u00fcber, all is well"
WORD = TEXT.encode()


def chunked(*pieces):
    body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body + b"0\r\n\r\n"


def until_close(data):
    def play(talk):
        if talk.request() is not None:
            talk.send(data)

    return play


def in_pieces(answers):
    """Each answer of the list in turn, in two sends a moment apart."""

    def play(talk):
        while talk.request() is not None:
            first, second = answers[(talk.requests - 1) % len(answers)]
            if not talk.send(first):
                return
            time.sleep(0.002)
            if not talk.send(second):
                return

    return play


def failed_all(run, count, word):
    equal(run.code, 3, "exit code", run)
    equal(run.doc["totals"]["by_failure"], {"check": count}, "causes", run)
    expect(word in run.said(), "the sample says %r" % word, run)


@case("a text is found wherever the reads are cut")
def every_cut():
    whole = answer(b"xx" + WORD + b"yy")
    cuts = [(whole[:at], whole[at:]) for at in range(1, len(whole))]
    run = good_load(Script(in_pieces(cuts)).url, "--expect-body", TEXT, "-c", "1", "-n", str(len(cuts)))
    equal(run.doc["totals"]["ok"], len(cuts), "ok", run)


@case("in a chunked body the text is looked for in the data and not in the framing")
def in_chunks():
    for at in range(0, len(WORD) + 1, 3):
        pieces = [piece for piece in (WORD[:at], WORD[at:]) if piece]
        good_load(Script(always(chunked(*pieces))).url, "--expect-body", TEXT, "--expect-length", str(len(WORD)), "-c", "1", "-n", "2")
    alone = [WORD[i:i + 1] for i in range(len(WORD))]
    good_load(Script(always(chunked(*alone))).url, "--expect-body", TEXT, "-c", "1", "-n", "5")
    server = Script(always(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: well\r\n\r\n"
                           b"2;x=well\r\nwe\r\n1\r\nl\r\n0\r\nX: well\r\n\r\n"))
    failed_all(load(server.url, "--expect-body", "well", "-c", "1", "-n", "5"), 5, "'well' is not in the body of 3 bytes")


@case("a body that ends with the stream is looked at to its end")
def to_the_end():
    server = Script(until_close(b"HTTP/1.1 200 OK\r\n\r\n" + b"-" * 100000 + WORD))
    run = good_load(server.url, "--expect-body", TEXT, "--expect-length", str(100000 + len(WORD)), "-c", "2", "-n", "10")
    equal(server.connections, 11, "connections: one a request and the first look", run)
    failed_all(load(server.url, "--expect-body", TEXT + "!", "-c", "2", "-n", "10"), 10, "is not in the body")


@case("large bodies are looked at to their last byte, on kept-alive and short connections")
def large():
    server = Script(always(answer(b"." * 500000 + WORD)))
    for close in ([], ["--close"]):
        run = good_load(server.url, "--expect-body", TEXT, "-c", "2", "-n", "40", *close)
        equal(run.doc["bytes"]["body_in"], 40 * (500000 + len(WORD)), "bytes of bodies", run)
        run = load(server.url, "--expect-body", TEXT + "!", "-c", "2", "-n", "40", *close)
        failed_all(run, 40, "is not in the body of 500025 bytes")
        equal(run.doc["totals"]["by_status"], {"200": 40}, "statuses", run)
        equal(run.doc["totals"]["reconnects"], 0, "connections are kept after a failed check", run)


@case("the length of a body must be the one expected, seen or discarded")
def length():
    server = Nginx()
    good_load(server.url + "/180k", "--expect-length", str(180 * 1024), "-c", "4", "-n", "100")
    run = load(server.url + "/180k", "--expect-length", str(180 * 1024 - 1), "-c", "4", "-n", "100")
    failed_all(run, 100, "%d body bytes, not %d" % (180 * 1024, 180 * 1024 - 1))
    good_load(server.url + "/none", "--expect-length", "0", "-c", "2", "-n", "20")


@case("only the answers that miss the text fail, and the others are timed")
def some():
    good, bad = answer(WORD), answer(b"no such thing")
    plays = [(good[:3], good[3:]), (bad[:-3], bad[-3:]), (good[:-3], good[-3:])]
    run = load(Script(in_pieces(plays)).url, "--expect-body", TEXT, "-c", "1", "-n", "30")
    equal(run.code, 0, "exit code", run)
    equal((run.doc["totals"]["ok"], run.doc["totals"]["by_failure"]), (20, {"check": 10}), "good and failed", run)
    equal(run.doc["latency_ns"]["response"]["count"], 20, "response times of good answers", run)
    equal(run.doc["latency_ns"]["failed_response"]["count"], 10, "response times of failed answers", run)


@case("a status that is not good is the cause before the body is")
def status_first():
    server = Script(always(answer(b"nothing", status=500)))
    run = load(server.url, "--expect-body", TEXT, "--expect-length", "99", "-c", "1", "-n", "5")
    equal(run.doc["totals"]["by_failure"], {"status": 5}, "causes", run)
    good_load(Script(always(answer(WORD, status=500))).url, "--expect-body", TEXT, "--expect-status", "500", "-c", "1", "-n", "5")


@case("the text found in one answer does not count for the next on the connection")
def anew():
    half = len(WORD) // 2
    plays = [(answer(WORD[:half]), b""), (answer(WORD[half:]), b"")]
    failed_all(load(Script(in_pieces(plays)).url, "--expect-body", TEXT, "-c", "1", "-n", "10"), 10, "is not in the body")


@case("--once says what was missing")
def once():
    server = Script(always(answer(b"hello")))
    for options, code, words in ((["--expect-body", "hell"], 0, []), (["--expect-length", "5"], 0, []),
                                 (["--expect-body", "heaven"], 3, ["check", "'heaven' is not in the body of 5 bytes"]),
                                 (["--expect-length", "6"], 3, ["check", "5 body bytes, not 6"])):
        run = brunt("run", "--once", "--no-store", server.url, *options)
        equal(run.code, code, "exit code with %s" % options, run)
        for word in words:
            expect(word in run.err, "it says %r" % word, run)


sys.exit(main())
