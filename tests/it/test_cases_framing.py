#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Public bug reports on the framing of messages, and others of their kinds: CASES.md has the list."""

import gzip
import re
import socket
import struct
import sys
import time
import zlib

from harness import Script, add_case, always, answer, between, brunt, case, equal, expect, good_load, load, main

MS = 1e6
PROBES = 1  # a run may look whether the address answers before it starts


def in_pieces(*pieces):
    """The same answer to every request, each piece in a segment of its own."""

    def play(talk):
        while talk.request() is not None:
            for piece in pieces:
                if not talk.send(piece):
                    return
                time.sleep(0.005)

    return play


def once_each(data):
    """One answer a connection, then the close."""
    return lambda talk: talk.request() and talk.send(data)


# Case 1 and its kind: a server that says there is no body and sends one nevertheless.

CHUNKED = b"HTTP/1.1 %s\r\nTransfer-Encoding: chunked\r\n\r\n"


def body_where_none_belongs(method, data):
    server = Script(always(data))
    run = good_load(server.url, "-X", method, "-c", "1", "-n", "10", "--timeout", "3s")
    equal(server.requests, 10, "requests", run)
    equal(run.doc["bytes"]["body_in"], 0, "bytes of bodies", run)


for _words, _method, _data in (("HEAD with the body of GET", "HEAD", answer(b"hello")),
                               ("HEAD with chunks", "HEAD", CHUNKED % b"200 OK" + b"2\r\nok\r\n0\r\n\r\n"),
                               ("204 with the end of chunks", "GET", CHUNKED % b"204 No Content" + b"0\r\n\r\n"),
                               ("304 with a body", "GET", answer(b"hello", 304))):
    add_case("case 1: %s costs a connection and no request" % _words, body_where_none_belongs, _method, _data)


# Case 2.


@case("case 2: --once ends with the same cause")
def once_never_closed():
    server = Script(lambda talk: talk.request() and talk.send(answer(b"x", length=False)) and talk.wait_gone())
    run = brunt("run", "--once", "--no-store", "--timeout", "400ms", server.url)
    equal(run.code, 3, "exit code", run)
    expect("timeout-body" in run.said(), "the cause is named", run)


@case("case 2: a body that trickles without length and without end is a timeout as well")
def trickle():
    def play(talk):
        if talk.request() is None or not talk.send(answer(b"", length=False)):
            return
        while talk.send(b"x") and not talk.script.stopped:
            time.sleep(0.02)

    run = load(Script(play).url, "-c", "2", "-n", "4", "--timeout", "400ms")
    equal(run.doc["totals"]["by_failure"], {"timeout-body": 4}, "by_failure", run)
    expect("no length, never closed" in run.said(), "the words", run)
    between(run.doc["latency_ns"]["failed_response"]["min"] / MS, 399, 3000, "ms from the start to the failure", run)


# Case 3: which header, which byte.


def fault(words, play, *wanted):
    run = load(Script(play).url, "-c", "1", "-n", "3", "--timeout", "3s")
    equal(run.doc["totals"]["by_failure"], {"protocol": 3}, "by_failure", run)
    for text in wanted:
        expect(text in run.said(), "%s: it says %r" % (words, text), run)
    return run


@case("case 3: header and byte are named where the head comes in pieces")
def control_byte_in_pieces():
    head, tail = b"HTTP/1.1 200 OK\r\nDate: x\r\n", b"c\r\nContent-Length: 0\r\n\r\n"
    for pieces in ((head + b"X-Odd: a", b"b\x01" + tail), (head + b"X-Odd: ", b"\x01", tail), (head + b"X-", b"Odd", b": a\x01" + tail),
                   (head + b"X-Odd: a\r\n", b" folded\x01" + tail)):
        run = fault("pieces %s" % (pieces,), in_pieces(*pieces), "(byte 0x01 in X-Odd)")
        expect("\x01" not in run.out, "the byte itself is not sent to the terminal", run)


@case("case 3: header and byte are named behind 100 KB of value, and the value is not shown")
def control_byte_far():
    run = fault("100 KB", always(answer(b"", headers=["X-Big: " + "a" * 100000 + "\x02"])), "(byte 0x02 in X-Big)")
    expect("aaaa" not in run.out, "the value is not shown", run)


@case("case 3: whichever byte it is and wherever it stands, header and byte are named")
def control_bytes():
    for line, text in ((b"X-Odd: a\x00b", "(byte 0x00 in X-Odd)"), (b"X-Odd: a\x7fb", "(byte 0x7f in X-Odd)"),
                       (b"X-Odd: a\rb", "(byte 0x0d in X-Odd)"), (b"X-Odd: \x1b[31m", "(byte 0x1b in X-Odd)"),
                       (b"Content-Length: 4\x012", "(byte 0x01 in Content-Length)"), (b"X-O\x08dd: a", "(byte 0x08 in X-O)"),
                       (b"No colon here", "in No colon here)")):
        fault(line, always(b"HTTP/1.1 200 OK\r\n" + line + b"\r\nContent-Length: 0\r\n\r\n"), text)


@case("case 3: what is no header is not named as one")
def no_header():
    run = fault("chunk", always(CHUNKED % b"200 OK" + b"2\r\nabsecret: x\r\n0\r\n\r\n"), "a chunk does not")
    expect("secret" not in run.out, "bytes of a body are not shown as a header", run)


@case("case 3: heads of up to 256 KB are taken, a larger one is told with the limit")
def large_heads():
    for headers in (["X-%d: %s" % (i, "v" * 1000) for i in range(250)], ["Server: " + "s" * 200000],
                    ["A%d: b" % i for i in range(5000)]):
        run = good_load(Script(always(answer(b"ok", headers=headers))).url, "-c", "2", "-n", "6", "--timeout", "5s")
        equal(run.doc["bytes"]["body_in"], 12, "bytes of bodies", run)
    run = load(Script(always(answer(b"ok", headers=["X-%d: %s" % (i, "v" * 1000) for i in range(300)]))).url, "-c", "1", "-n", "3")
    equal(run.doc["totals"]["by_failure"], {"protocol": 3}, "by_failure", run)
    expect("256 KiB" in run.said(), "the limit is told", run)


# Case 4: the client does not ask to keep the connection, the server keeps it.


def left_open(version, *headers):
    def play(talk):
        while talk.request() is not None:
            if not talk.send(answer(b"x" * 555, version=version, headers=headers)):
                return
        talk.wait_gone(15)

    return play


def ends_at_its_length(play, *options):
    server = Script(play)
    run = good_load(server.url, "-c", "2", "-n", "10", "--timeout", "14s", *options)
    equal(server.requests, 10, "requests", run)
    between(run.doc["latency_ns"]["response"]["max"] / MS, 0, 5000, "max in ms, of 15,000 until the close", run)
    between(run.wall, 0, 12, "seconds", run)


for _words, _play, _options in (
        ("1.0 without keep-alive", left_open("1.0"), ("--http", "1.0", "--close")),
        ("1.0 that answers close", left_open("1.0", "Connection: close"), ("--http", "1.0", "--close")),
        ("1.0 answered by 1.1", left_open("1.1"), ("--http", "1.0", "--close")),
        ("1.1 with --close", left_open("1.1", "Connection: close"), ("--close",)),
        ("1.1 kept alive that answers close", left_open("1.1", "Connection: close"), ())):
    add_case("case 4: a socket left open by the server adds no time: " + _words, ends_at_its_length, _play, *_options)


# Case 5: how a kept-alive connection goes away.


def resets_the_sixth(talk):
    for _ in range(5):
        if talk.request() is None or not talk.send(answer()):
            return
    talk.request()
    talk.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@case("case 5: a reset in place of a FIN on a reused connection is stale, too: GET is retried, POST is not")
def stale_by_reset():
    server = Script(resets_the_sixth)
    run = good_load(server.url, "-c", "2", "-n", "30")
    expect(run.doc["totals"]["retried"] >= 4, "retried", run)
    run = load(server.url, "-c", "1", "-n", "12", "-X", "POST")
    equal(run.doc["totals"]["by_failure"], {"stale-connection": 2}, "by_failure", run)


@case("case 5: a connection closed right behind its answer costs GET nothing, whatever the moment")
def closed_after_each():
    server = Script(once_each(answer()))
    run = good_load(server.url, "-c", "4", "-n", "200")
    totals = run.doc["totals"]
    equal(totals["reconnects"], 196, "reconnects", run)
    between(server.connections, 200, 200 + PROBES, "connections", run)
    expect("closes connections after every answer" in run.said(), "the summary says what load that is", run)


@case("case 5: 408 behind an answer belongs to no request")
def late_408():
    server = Script(once_each(answer() + answer(b"", 408, ["Connection: close"])))
    run = good_load(server.url, "-c", "2", "-n", "20")
    equal(run.doc["totals"]["by_status"], {"200": 20}, "by_status", run)


# Case 6: every place where an answer can be cut.

CUTS = {
    "in the status line": b"HTTP/1.1 20",
    "in a header": answer(b"x" * 100)[:30],
    "behind the head": answer(b"x" * 100)[:-100],
    "one byte before the end": answer(b"x" * 100)[:-1],
    "behind an interim answer": b"HTTP/1.1 100 Continue\r\n\r\n",
    "between two chunks": CHUNKED % b"200 OK" + b"2\r\nab\r\n",
    "before the end of the last chunk": CHUNKED % b"200 OK" + b"2\r\nab\r\n0\r\n",
}


def cut(data):
    for options in ([], ["--close"]):
        run = load(Script(once_each(data)).url, "-c", "2", "-n", "10", "--timeout", "3s", *options)
        equal(run.code, 3, "exit code", run)
        equal(run.doc["totals"]["by_failure"], {"truncated": 10}, "by_failure", run)


for _words, _data in CUTS.items():
    add_case("case 6: an answer cut %s is truncated" % _words, cut, _data)


@case("case 6: what was expected and what came of a body of 100,000 are told")
def cut_counts():
    run = load(Script(once_each(answer(b"z" * 100000)[:-50000])).url, "-c", "1", "-n", "3")
    expect(re.search(r"\b50,?000 of 100,?000 body bytes", run.said()), "both counts", run)


# Case 7: Content-Encoding as servers have it.

BODY = b"hello world " * 500


def deflate_raw(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


ENCODED = {
    "gzip": ("gzip", gzip.compress(BODY)),
    "deflate with a zlib header": ("deflate", zlib.compress(BODY)),
    "raw deflate": ("deflate", deflate_raw(BODY)),
    "gzip with trailing rubbish": ("gzip", gzip.compress(BODY) + b"rubbish"),
    "two gzip members": ("gzip", gzip.compress(BODY[:3000]) + gzip.compress(BODY[3000:])),
    "gzip by its old name": ("X-GZip", gzip.compress(BODY)),
    "nothing at all": ("identity", BODY),
}


def encoded(coding, data):
    chunked = CHUNKED % b"200 OK" + b"5\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n" % (data[:5], len(data) - 5, data[5:])
    coded = chunked.replace(b"\r\n", b"\r\nContent-Encoding: %s\r\n" % coding.encode(), 1)
    for whole in (answer(data, headers=["Content-Encoding: " + coding]), coded):
        run = good_load(Script(always(whole)).url, "-c", "2", "-n", "6", "--compressed", "--expect-body", "hello world")
        equal((run.doc["bytes"]["body_in"], run.doc["bytes"]["body_in_decoded"]), (6 * len(data), 6 * len(BODY)),
              "bytes on the wire and decoded", run)


for _words, (_coding, _data) in ENCODED.items():
    add_case("case 7: a body in %s is decoded, and wire and decoded bytes are two numbers" % _words, encoded, _coding, _data)


@case("case 7: a body that is not what its coding says fails its check with a word, one that is cut is truncated")
def badly_encoded():
    for coding, data, cause, word in (("gzip", BODY, "check", "body"), ("zstd", BODY, "check", "Content-Encoding"),
                                      ("gzip", gzip.compress(BODY)[:-20], "truncated", "encoded body"),
                                      ("deflate", zlib.compress(BODY)[:20], "truncated", "encoded body")):
        server = Script(always(answer(data, headers=["Content-Encoding: " + coding])))
        run = load(server.url, "-c", "2", "-n", "6", "--compressed", "--expect-body", "hello world")
        equal(run.doc["totals"]["by_failure"], {cause: 6}, "by_failure of %s" % coding, run)
        expect(word in run.said(), "%s: it says %r" % (coding, word), run)
        good_load(server.url, "-c", "2", "-n", "6", "--compressed")


sys.exit(main())
