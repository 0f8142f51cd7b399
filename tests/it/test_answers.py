#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers written byte by byte: framing, odd headers, closes, and servers that mean harm.

Each case is a public bug report about a load tool; the right outcome is what HTTP says.
"""

import os
import random
import re
import socket
import struct
import sys
import time

from harness import Script, add_case, always, answer, between, case, equal, expect, good_load, load, main, scratch

MS = 1e6
PROBES = 1  # a run may look whether the address answers before it starts


def one_connection(server, run, users=1):
    between(server.connections, users, users + PROBES, "connections", run)


# Answers without a body, without a length.


def bodiless(method, data):
    server = Script(always(data))
    run = good_load(server.url, "-X", method, "-c", "1", "-n", "20", "--timeout", "3s")
    equal(server.requests, 20, "requests", run)
    one_connection(server, run)
    equal(run.doc["bytes"]["body_in"], 0, "bytes of bodies", run)
    between(run.doc["latency_ns"]["response"]["max"] / MS, 0, 500, "max in ms", run)


for _method, _status, _head in (("HEAD", 200, ["Content-Length: 5000"]), ("HEAD", 200, ["Transfer-Encoding: chunked"]),
                                ("GET", 204, []), ("GET", 304, []), ("GET", 304, ["Content-Length: 5000"]),
                                ("GET", 204, ["Content-Length: 0"])):
    add_case("%s answered %d with %s is complete at the blank line" % (_method, _status, _head or "no length"), bodiless,
             _method, answer(b"", _status, _head, length=False))


@case("interim answers are passed over; only the final one counts")
def interim():
    server = Script(always(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + answer()))
    run = good_load(server.url, "-c", "2", "-n", "20")
    equal(run.doc["totals"]["by_status"], {"200": 20}, "by_status", run)
    one_connection(server, run, 2)


@case("a body with no length ends at the close")
def until_close():
    def play(talk):
        if talk.request() is not None:
            talk.send(answer(b"x" * 1234, length=False))

    server = Script(play)
    run = good_load(server.url, "-c", "2", "-n", "20")
    equal(server.requests, 20, "requests", run)
    equal(run.doc["bytes"]["body_in"], 20 * 1234, "bytes of bodies", run)


@case("a body with no length that is never closed is a timeout, and says why")
def never_closed():
    server = Script(lambda talk: talk.request() and talk.send(answer(b"x", length=False)) and talk.wait_gone())
    run = load(server.url, "-c", "2", "-n", "4", "--timeout", "500ms")
    equal(run.code, 3, "exit code", run)
    equal(run.doc["totals"]["by_failure"], {"timeout-body": 4}, "by_failure", run)
    expect("no length, never closed" in run.said(), "the words", run)
    equal(run.doc["totals"]["by_status"], {"200": 4}, "by_status: the heads did come", run)
    between(run.doc["latency_ns"]["failed_response"]["min"] / MS, 499, 800, "ms from the start to the failure", run)
    between(run.wall, 1, 4, "seconds", run)


@case("500 with an empty body is a failure by status, with a latency of its own")
def empty_error():
    server = Script(always(answer(b"", 500)))
    run = load(server.url, "-c", "1", "-n", "10")
    equal(run.code, 3, "exit code", run)
    equal(run.doc["totals"]["by_failure"], {"status": 10}, "by_failure", run)
    equal(run.doc["totals"]["by_status"], {"500": 10}, "by_status", run)
    equal(run.doc["latency_ns"]["failed_response"]["count"], 10, "failed_response", run)
    equal(run.doc["latency_ns"]["response"]["count"], 0, "response", run)
    one_connection(server, run)


# Heads.

BODY = b"y" * 42
LEGAL = {
    "many spaces before a lower-case length": b"HTTP/1.1 200 OK\r\ncontent-length:        42\r\n\r\n" + BODY,
    "a tab and trailing spaces": b"HTTP/1.1 200 OK\r\nCONTENT-LENGTH:\t42  \r\n\r\n" + BODY,
    "a Server line of 7,900 bytes": answer(BODY, headers=["Server: " + "s" * 7900]),
    "20 KB of cookies": answer(BODY, headers=["Set-Cookie: c%d=%s" % (i, "v" * 1000) for i in range(20)]),
    "no reason phrase": b"HTTP/1.1 200 \r\nContent-Length: 42\r\n\r\n" + BODY,
    "no reason phrase and no space": b"HTTP/1.1 200\r\nContent-Length: 42\r\n\r\n" + BODY,
    "bare line feeds": b"HTTP/1.1 200 OK\nContent-Length: 42\n\n" + BODY,
    "an empty header value": answer(BODY, headers=["X-Empty:"]),
    "letters beyond ASCII in a value": answer(BODY, headers=["X-Name: Malk\u00e4"]),
    "the same length twice": answer(BODY, headers=["Content-Length: 42"]),
    "chunks": answer(b"10\r\n" + BODY[:16] + b"\r\n1a\r\n" + BODY[16:] + b"\r\n0\r\n\r\n", headers=["Transfer-Encoding: chunked"],
                     length=False),
    "chunks with extensions and trailers": answer(b"2A;name=\"v\"\r\n" + BODY + b"\r\n0;last\r\nX-Sum: 1\r\n\r\n",
                                                  headers=["transfer-encoding: Chunked"], length=False),
}


def legal(data):
    server = Script(always(data))
    run = good_load(server.url, "-c", "1", "-n", "10", "--timeout", "3s")
    equal(run.doc["bytes"]["body_in"], 420, "bytes of bodies", run)
    equal(server.requests, 10, "requests", run)
    one_connection(server, run)

    def slowly(talk):
        while talk.request() is not None:
            for at in range(0, len(data), max(1, len(data) // 200)):
                if not talk.send(data[at:at + max(1, len(data) // 200)]):
                    return
                time.sleep(0.0002)

    server = Script(slowly)
    run = good_load(server.url, "-c", "1", "-n", "2", "--timeout", "5s")
    equal(run.doc["bytes"]["body_in"], 84, "bytes of bodies that came in pieces", run)


for _words, _data in LEGAL.items():
    add_case("odd but legal: " + _words, legal, _data)

BROKEN = {
    "not HTTP at all": b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
    "a status of two digits": b"HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n",
    "a length that is no number": b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
    "a negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    "a length beyond 64 bits": b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "two lengths that differ": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a chunk size that is no number": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    "a chunk size beyond 64 bits": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    "a chunk longer than it says": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcdef\r\n0\r\n\r\n",
}


def broken(data):
    server = Script(lambda talk: talk.request() and talk.send(data) and talk.wait_gone())
    run = load(server.url, "-c", "2", "-n", "10", "--timeout", "2s")
    equal(run.code, 3, "exit code", run)
    equal(run.doc["totals"]["by_failure"], {"protocol": 10}, "by_failure", run)
    expect("protocol" in run.out, "the summary names the cause", run)
    between(run.wall, 0, 2, "seconds: found at once, not by a timeout", run)


for _words, _data in BROKEN.items():
    add_case("a fault of protocol: " + _words, broken, _data)


@case("a control byte in a header is a fault of protocol that names header and byte")
def control_byte():
    data = b"HTTP/1.1 200 OK\r\nX-Odd: a\x01b\r\nContent-Length: 0\r\n\r\n"
    server = Script(lambda talk: talk.request() and talk.send(data) and talk.wait_gone())
    run = load(server.url, "-c", "1", "-n", "3", "--timeout", "2s")
    equal(run.doc["totals"]["by_failure"], {"protocol": 3}, "by_failure", run)
    expect(re.search(r"x-odd", run.said(), re.I), "the header is named", run)
    expect(re.search(r"0x01|\\x01", run.said(), re.I), "the byte is named", run)
    expect("\x01" not in run.out + run.err, "the byte itself is not sent to the terminal", run)


# Versions and closes.


@case("an answer to HTTP/1.0 is complete at its length, whenever the close comes")
def length_before_close():
    server = Script(lambda talk: talk.request() and talk.send(answer(b"x" * 555, version="1.0")) and talk.wait_gone(15))
    run = good_load(server.url, "--http", "1.0", "-c", "2", "-n", "6", "--timeout", "5s")
    between(run.doc["latency_ns"]["response"]["max"] / MS, 0, 500, "max in ms", run)
    between(run.wall, 0, 3, "seconds", run)
    equal(server.requests, 6, "requests", run)


@case("an answer of HTTP/1.0 that says keep-alive keeps the connection, one that does not ends it")
def keep_alive_words():
    server = Script(always(answer(headers=["Connection: keep-alive"], version="1.0")))
    run = good_load(server.url, "--http", "1.0", "-c", "1", "-n", "20")
    one_connection(server, run)
    server = Script(always(answer(version="1.0")))
    run = good_load(server.url, "-c", "1", "-n", "20")
    between(server.connections, 20, 20 + PROBES, "connections", run)
    server = Script(always(answer(headers=["connection: Upgrade, CLOSE"])))
    run = good_load(server.url, "-c", "1", "-n", "20")
    between(server.connections, 20, 20 + PROBES, "connections", run)


def closes_after_100(says_so):
    def play(talk):
        while talk.request() is not None:
            last = talk.requests == 100
            if not talk.send(answer(headers=["Connection: close"] if last and says_so else [])) or last:
                return

    server = Script(play)
    run = good_load(server.url, "-c", "4", "-n", "2000")
    totals = run.doc["totals"]
    equal(totals["ok"], 2000, "ok", run)
    # A request that crossed the FIN was sent, and never read.
    between(server.requests, 2000, 2000 + totals["retried"], "requests that the server read", run)
    between(totals["reconnects"], 16, 20, "reconnects", run)
    between(server.connections - totals["reconnects"], 4, 4 + PROBES, "connections less reconnects", run)
    if says_so:
        equal(totals["retried"], 0, "retries", run)


add_case("a server that closes after every 100 answers and says so costs no failure", closes_after_100, True)
add_case("a server that closes after every 100 answers with a plain FIN costs no failure", closes_after_100, False)


def second_is_dropped(talk):
    """Answers the first request of a connection, reads the second and closes."""
    if talk.request() is not None and talk.send(answer()):
        talk.request()


@case("a close that crosses a request costs one silent retry of GET, on a fresh connection")
def stale_retry():
    server = Script(second_is_dropped)
    run = good_load(server.url, "-c", "1", "-n", "10")
    equal(run.doc["totals"]["ok"], 10, "ok", run)
    equal(run.doc["totals"]["retried"], 9, "retried", run)
    equal(server.requests, 19, "requests that the server read", run)


@case("the same with POST is a stale connection, never sent twice")
def stale_post():
    server = Script(second_is_dropped)
    run = load(server.url, "-X", "POST", "-c", "1", "-n", "10")
    equal(run.doc["totals"]["ok"], 5, "ok", run)
    equal(run.doc["totals"]["by_failure"], {"stale-connection": 5}, "by_failure", run)
    equal(run.doc["totals"]["retried"], 0, "retried", run)
    equal(server.requests, 10, "requests that the server read", run)


@case("a close without a word on a fresh connection is closed-early, and is not retried")
def closed_early():
    server = Script(lambda talk: talk.request())
    run = load(server.url, "-c", "1", "-n", "10")
    equal(run.code, 3, "exit code", run)
    equal(run.doc["totals"]["by_failure"], {"closed-early": 10}, "by_failure", run)
    equal(server.requests, 10 + run.doc["totals"]["retried"], "requests that the server read", run)


@case("a body that is cut is truncated, with what was expected and what came, and the run goes on")
def truncated():
    def play(talk):
        while talk.request() is not None:
            with talk.script.lock:
                talk.script.turn = getattr(talk.script, "turn", 0) + 1
                cut = talk.script.turn % 2 == 0
            if cut:
                talk.send(answer(b"z" * 100000)[:-50000])
                return
            talk.send(answer(b"z" * 100000))

    server = Script(play)
    run = load(server.url, "-c", "1", "-n", "20")
    equal(run.doc["totals"]["ok"], 10, "ok", run)
    equal(run.doc["totals"]["by_failure"], {"truncated": 10}, "by_failure", run)
    plain = run.said().replace(",", "")
    equal(run.doc["totals"]["by_status"], {"200": 20}, "by_status: the heads did come", run)
    expect("100000" in plain and "50000" in plain, "expected and received bytes are named", run)


@case("chunks that are cut are truncated")
def truncated_chunks():
    data = answer(b"ffff\r\nabc", headers=["Transfer-Encoding: chunked"], length=False)
    server = Script(lambda talk: talk.request() and talk.send(data))
    run = load(server.url, "-c", "1", "-n", "5")
    equal(run.doc["totals"]["by_failure"], {"truncated": 5}, "by_failure", run)


@case("bytes after a complete answer end the connection, never the next request")
def surplus():
    server = Script(always(answer(b"ok") + b"surplus"))
    run = load(server.url, "-c", "1", "-n", "10")
    totals = run.doc["totals"]
    expect(totals["ok"] == 10 or set(totals["by_failure"]) == {"protocol"}, "ok, or a fault of protocol", run)
    expect(server.requests in (totals["started"], totals["started"] + totals["retried"]), "requests", run)


@case("an answer may come before the request is sent whole")
def early_answer():
    path = os.path.join(scratch(), "large")
    with open(path, "wb") as file:
        file.truncate(32 << 20)
    server = Script(lambda talk: talk.request() and talk.send(answer(b"no", 413, ["Connection: close"])) and talk.wait_gone(5))
    run = load(server.url, "--data", "@" + path, "-c", "2", "-n", "4", "--timeout", "5s")
    equal(run.doc["totals"]["by_status"], {"413": 4}, "by_status", run)
    equal(run.doc["totals"]["by_failure"], {"status": 4}, "by_failure", run)


@case("a body whose length varies is no failure, and the span is told")
def varied():
    def play(talk):
        while talk.request() is not None:
            talk.send(answer(b"d" * (812 + (talk.requests * 29) % 233)))

    server = Script(play)
    run = good_load(server.url, "-c", "1", "-n", "233")
    expect(re.search(r"body length varied,? 812\b.*?\.\.1[,.]04", run.said()), "the note 'body length varied 812..1,044'", run)


# Counts.


@case("what runs into the timeout is counted once, and all adds up to the server's count")
def conservation():
    def play(talk):
        while talk.request() is not None:
            time.sleep(0.8 + 0.4 * ((talk.number * 7 + talk.requests * 3) % 10) / 9)
            if not talk.send(answer()):
                return

    server = Script(play)
    run = load(server.url, "-c", "30", "-d", "4s", "--warmup", "0", "--timeout", "1s")
    totals = run.doc["totals"]
    equal(server.requests, totals["started"] + totals["retried"], "requests that the server read", run)
    expect(totals["ok"] > 0 and totals["by_failure"].get("timeout-first-byte", 0) > 0, "both kinds", run)


def each_50th_hangs(talk):
    while talk.request() is not None:
        with talk.script.lock:
            talk.script.turn = getattr(talk.script, "turn", 0) + 1
            hang = talk.script.turn % 50 == 0
        time.sleep(2.5 if hang else 0.01)
        if not talk.send(answer()):
            return


@case("what is open at the deadline is told with its age, and awaited when there is a drain")
def open_at_the_end():
    server = Script(each_50th_hangs)
    run = load(server.url, "-c", "10", "-d", "2s", "--warmup", "0", "--drain", "0")
    expect(run.doc["totals"]["unfinished"] >= 8, "unfinished", run)
    expect(re.search(r"oldest", run.said()), "the oldest age is shown", run)
    equal(server.requests, run.doc["totals"]["started"], "requests that the server read", run)
    server = Script(each_50th_hangs)
    run = load(server.url, "-c", "10", "-d", "2s", "--warmup", "0", "--drain", "4s")
    equal(run.doc["totals"]["unfinished"], 0, "unfinished with a drain", run)
    between(run.doc["latency_ns"]["response"]["max"] / MS, 2400, 3500, "max in ms", run)


@case("errors that come faster than answers are no speed")
def only_errors():
    def play(talk):
        while talk.request() is not None:
            good = talk.requests % 16 == 0
            time.sleep(0.002 if good else 0)
            if not talk.send(answer(b"ok" if good else b"no", 200 if good else 503)):
                return

    server = Script(play)
    run = load(server.url, "-c", "4", "-d", "1s", "--warmup", "0")
    counts, rate = run.doc["counts"], run.doc["rate"]
    expect(rate["failed_per_s"] > 10 * rate["ok_per_s"] > 0, "the headline rate counts good answers", rate)
    equal(run.doc["latency_ns"]["response"]["count"], counts["ok"], "response counts good answers", run)
    equal(run.doc["latency_ns"]["failed_response"]["count"], counts["failed"], "failed_response counts the others", run)
    expect(re.search(r"9[34](\.\d+)? ?%", run.said()), "a line warns that 94 % were no good answers", run)
    server = Script(always(answer(b"", 429)))
    run = load(server.url, "-c", "4", "-n", "200")
    equal(run.code, 3, "exit code when nothing was good", run)
    equal(run.doc["rate"]["ok_per_s"], 0, "ok_per_s", run)


def pairs(options, number, most):
    server = Script(always(answer()))
    run = good_load(server.url, *options)
    equal(server.requests, number, "requests", run)
    equal(run.doc["totals"]["ok"], number, "ok", run)
    between(server.connections, 1, most + PROBES, "connections", run)


for _options, _number, _most in ((("-n", "3", "-c", "50"), 3, 3), (("-n", "1"), 1, 1), (("-n", "1", "-c", "1"), 1, 1),
                                 (("-n", "101", "-c", "10"), 101, 10), (("-n", "7", "-c", "2", "--threads", "2"), 7, 2),
                                 (("-n", "5", "-c", "1", "--threads", "2"), 5, 1), (("-n", "50", "-c", "50", "--close"), 50, 50)):
    add_case("exactly the number, and no more connections than that: " + " ".join(_options), pairs, _options, _number, _most)


@case("a few answers give finite numbers or null")
def few():
    for number in (1, 8):
        server = Script(always(answer()))
        run = good_load(server.url, "-c", "1", "-n", str(number))
        response = run.doc["latency_ns"]["response"]
        equal(response["count"], number, "count", run)
        if number == 1:
            equal(response["max"], response["min"], "one sample has one value", response)
        expect(response["p99_9"] is None, "p99.9 of %d samples is not known" % number, response)
        expect("nan" not in run.out.lower() and "inf/" not in run.out.lower(), "no NaN in the text", run)


@case("all slower than the timeout: no success, every one a timeout, no latency of successes")
def all_slow():
    def play(talk):
        if talk.request() is not None:
            time.sleep(0.05)
            talk.send(answer())

    server = Script(play)
    run = load(server.url, "-c", "5", "-n", "100", "--timeout", "2ms")
    totals = run.doc["totals"]
    equal(run.code, 3, "exit code", run)
    equal(totals["ok"], 0, "ok", run)
    equal(totals["by_failure"], {"timeout-first-byte": 100}, "by_failure", run)
    equal(totals["by_status"], {}, "by_status", run)
    response = run.doc["latency_ns"]["response"]
    equal((response["count"], response["p50"]), (0, None), "response", run)
    equal(run.doc["latency_ns"]["failed_response"]["count"], 100, "failed_response", run)
    between(run.doc["latency_ns"]["failed_response"]["p50"] / MS, 2, 20, "p50 of failures in ms", run)


# Servers that mean harm.


def flood(head, piece):
    """Sends head and then piece for ever, at 50 MB/s at most, so that a run of two seconds is a real load."""

    def play(talk):
        if talk.request() is None or not talk.send(head):
            return
        block = piece * max(1, 65536 // len(piece))
        while not talk.script.stopped:
            if not talk.send(block):
                return
            time.sleep(0.001)

    return play


ENDLESS = {
    "head of many lines": (b"HTTP/1.1 200 OK\r\n", b"X-Line: abcdefghijklmnopqrstuvwxyz\r\n", {"protocol"}),
    "head of one line": (b"HTTP/1.1 200 OK\r\nX-Line: ", b"a", {"protocol"}),
    "status line": (b"HTTP/1.1 200 ", b"a", {"protocol"}),
    "line of interim answers": (b"", b"HTTP/1.1 100 Continue\r\n\r\n", {"protocol", "timeout-first-byte", "timeout-body"}),
    "chunk extension": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;", b"a", {"protocol", "timeout-body"}),
    "chunk size": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"0", {"protocol", "timeout-body"}),
    "row of chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"3\r\nabc\r\n", {"timeout-body"}),
    "trailer": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X-T: v\r\n", {"protocol", "timeout-body"}),
    "body": (b"HTTP/1.1 200 OK\r\n\r\n", b"a" * 1000, {"timeout-body"}),
    "body with a length of 5 TB": (b"HTTP/1.1 200 OK\r\nContent-Length: 5497558138880\r\n\r\n", b"a" * 1000, {"timeout-body"}),
}


def endless(head, piece, causes):
    server = Script(flood(head, piece))
    run = load(server.url, "-c", "4", "-n", "4", "--timeout", "1500ms")
    equal(run.code, 3, "exit code", run)
    totals = run.doc["totals"]
    equal(totals["failed"], 4, "failed", run)
    expect(set(totals["by_failure"]) <= causes, "causes %s, want some of %s" % (totals["by_failure"], causes), run)
    between(run.wall, 0, 5, "seconds", run)
    between(run.peak_kb, 1, 40 * 1024, "peak memory in KB", run)


for _words, (_head, _piece, _causes) in ENDLESS.items():
    add_case("memory stays bounded with an endless " + _words, endless, _head, _piece, _causes)


@case("random bytes crash nothing")
def random_bytes():
    source = random.Random(7)

    def play(talk):
        if talk.request() is not None:
            with talk.script.lock:
                start = source.choice([b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"])
                data = start + source.randbytes(source.randrange(2000))
            talk.send(data)

    server = Script(play)
    run = load(server.url, "-c", "8", "-n", "600", "--timeout", "1s")
    expect(run.code in (0, 1, 3), "exit code", run)
    equal(run.doc["totals"]["started"], 600, "started", run)


@case("a server that reads a byte at a time and answers a byte at a time is understood")
def dribble():
    def play(talk):
        while True:
            got = b""
            while not got.endswith(b"\r\n\r\n"):
                byte = talk.sock.recv(1)
                if not byte:
                    return
                got += byte
            talk.script.count(got)
            for byte in answer(b"abc"):
                if not talk.send(bytes([byte])):
                    return

    server = Script(play)
    run = good_load(server.url, "-c", "2", "-n", "20")
    equal(server.requests, 20, "requests", run)
    equal(run.doc["bytes"]["body_in"], 60, "bytes of bodies", run)


@case("a reset in the middle is counted as a reset, and the run goes on")
def reset():
    def play(talk):
        while talk.request() is not None:
            with talk.script.lock:
                talk.script.turn = getattr(talk.script, "turn", 0) + 1
                cut = talk.script.turn % 2 == 0
            if cut:
                talk.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
                time.sleep(0.02)
                talk.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            talk.send(answer())

    server = Script(play)
    run = load(server.url, "-c", "1", "-n", "20")
    equal(run.doc["totals"]["ok"], 10, "ok", run)
    equal(run.doc["totals"]["by_failure"], {"reset": 10}, "by_failure", run)


@case("many connections that hang at once all run into the timeout on time")
def many_hang():
    server = Script(lambda talk: talk.request() and talk.wait_gone())
    run = load(server.url, "-c", "200", "-n", "200", "--timeout", "1s", "--ramp", "0.1s")
    equal(run.doc["totals"]["by_failure"], {"timeout-first-byte": 200}, "by_failure", run)
    between(run.wall, 1, 3, "seconds", run)
    between(run.doc["latency_ns"]["failed_response"]["max"] / MS, 1000, 1200, "max in ms", run)


sys.exit(main())
