#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Public bug reports on what is counted, and others of their kinds: CASES.md has the list."""

import re
import sys
import threading
import time

from harness import Script, add_case, always, answer, between, brunt, case, equal, expect, good_load, load, main, wait_until

PROBES = 1  # a run may look whether the address answers before it starts


def server_read(server, run):
    """All that was started; what a client gave up may be read after it has left."""
    want = run.doc["totals"]["started"] + run.doc["totals"]["retried"]
    wait_until(lambda: server.requests >= want, 5, "the server to read %d requests (%d so far)\n%s" % (want, server.requests, run))
    equal(server.requests, want, "requests that the server read", run)


# Cases 15 and 16: what the server read is what was started, whatever becomes of it.


def fates(talk):
    """Each request of a connection fares differently: answered, slow, cut, dropped, refused, hanging."""
    while talk.request() is not None:
        fate = (talk.number * 5 + talk.requests) % 11
        if fate == 0:
            talk.wait_gone()
            return
        if fate == 1:
            talk.send(answer(b"x" * 100)[:-50])
            return
        if fate == 2:
            return
        if fate == 3:
            talk.send(b"no http\r\n\r\n")
            return
        time.sleep(0.01 if fate != 4 else 0.05)
        if not talk.send(answer(b"ok", 503 if fate == 5 else 200)):
            return


@case("case 15: whatever becomes of requests, each is in one class and the server read them all")
def all_fates():
    server = Script(fates)
    run = load(server.url, "-c", "20", "-d", "2s", "--warmup", "0", "--timeout", "300ms", "--drain", "1s")
    totals = run.doc["totals"]
    server_read(server, run)
    for cause in ("truncated", "protocol", "status", "timeout-first-byte"):
        expect(totals["by_failure"].get(cause, 0) > 0, "%s is counted" % cause, run)
    equal(totals["unfinished"], 0, "unfinished after a drain longer than the timeout", run)


@case("case 16: what hangs at the deadline is unfinished, with the age of the oldest, and no failure")
def hangs_at_the_end():
    hang = threading.Event()

    def play(talk):
        while talk.request() is not None:
            if hang.is_set():
                talk.wait_gone()
                return
            time.sleep(0.005)
            if talk.requests > 10:
                hang.set()
            if not talk.send(answer()):
                return

    server = Script(play)
    run = load(server.url, "-c", "5", "-d", "1500ms", "--warmup", "0", "--drain", "0")
    equal((run.doc["totals"]["unfinished"], run.doc["totals"]["failed"]), (5, 0), "unfinished and failed", run)
    found = re.search(r"unfinished 5 without an answer at the end, the oldest after ([\d.]+) (m?)s", run.said())
    expect(found, "the oldest age is shown", run)
    between(float(found.group(1)) / (1000 if found.group(2) else 1), 0.1, 1.6, "oldest age in seconds", run)
    server_read(server, run)


@case("case 16: users that hang from before the measured time to the end are told, though no count of it has them")
def hangs_from_before():
    def play(talk):
        while talk.request() is not None:
            if talk.number - PROBES in (3, 4):
                talk.wait_gone()
                return
            time.sleep(0.01)
            if not talk.send(answer()):
                return

    run = load(Script(play).url, "-c", "10", "-d", "1s", "--warmup", "300ms", "--drain", "200ms")
    equal((run.doc["counts"]["unfinished"], run.doc["totals"]["unfinished"]), (0, 2), "unfinished in counts and totals", run)
    expect(re.search(r"unfinished 2 that began before the measured time never ended, the oldest after 1\.\d+ s", run.said()),
           "the summary tells of them", run)
    equal(run.check("V-UNFIN")["level"], "warn", "V-UNFIN", run)


# Case 17: a server that refuses is fast, and no good.


def serves_three(talk):
    """Beyond three connections it closes without a word, as one does that has run out of workers."""
    if talk.number - PROBES > 3:
        return
    while talk.request() is not None:
        time.sleep(0.003)
        if not talk.send(answer()):
            return


@case("case 17: connections that are dropped at once are failures with a rate of their own, no habit and no speed")
def drops():
    server = Script(serves_three)
    run = load(server.url, "-c", "5", "-d", "1s", "--warmup", "0")
    rate, counts = run.doc["rate"], run.doc["counts"]
    expect(counts["failed"] > 0 and counts["ok"] > 0, "both kinds", run)
    between(rate["ok_per_s"], 0.9 * counts["ok"] - 3, counts["ok"], "the rate is of good answers", run)
    expect(set(counts["by_failure"]) <= {"reset", "closed-early", "connect-other"}, "causes", run)
    expect("closes connections after" not in run.said(), "the server is not said to close after answers", run)
    expect(re.search(r"\d+(\.\d+)? % failed", run.said()), "the share is told", run)


def praised(status, note):
    run = load(Script(always(answer(b"x" * 50, status, ["Location: http://b.test/"]))).url, "-c", "2", "-n", "40")
    expect(note in run.said(), "the note %r" % note, run)
    if status >= 400:
        equal((run.code, run.doc["rate"]["ok_per_s"]), (3, 0), "exit code and ok_per_s", run)
        equal(run.doc["latency_ns"]["response"]["count"], 0, "responses", run)
        equal(run.doc["latency_ns"]["failed_response"]["count"], 40, "failed responses", run)


for _status, _note in ((429, "none of the answers was 2xx or 3xx"), (404, "none of the answers was 2xx or 3xx"),
                       (503, "none of the answers was 2xx or 3xx"), (302, "all of the answers were redirects")):
    add_case("case 17: answers of %d alone are not praised" % _status, praised, _status, _note)


# Case 19: option pairs.


def pairs(options, number, most):
    server = Script(always(answer()))
    run = good_load(server.url, *options)
    equal((server.requests, run.doc["totals"]["ok"]), (number, number), "requests at the server and ok", run)
    between(server.connections, 1, most + PROBES, "connections", run)
    expect(run.doc["plan"]["threads"] <= min(number, most), "threads: %d" % run.doc["plan"]["threads"], run)


for _options, _number, _most in ((("-n", "2", "-c", "1000000"), 2, 2), (("-n", "3", "-c", "50", "--close"), 3, 3),
                                 (("-n", "101", "-c", "10", "--close"), 101, 101), (("-n", "20", "--threads", "64", "-c", "8"), 20, 8),
                                 (("-n", "10", "--threads", "250", "-c", "250"), 10, 10), (("-n", "1", "-c", "50", "--ramp", "1s"), 1, 1),
                                 (("-n", "7", "-c", "3", "-d", "30s"), 7, 3), (("-n", "10", "-c", "2", "--close", "--ramp", "200ms"), 10, 10)):
    add_case("case 19: exactly the number, no more connections than that: " + " ".join(_options), pairs, _options, _number, _most)


@case("case 19: pairs that cannot be meant end in exit 2 with the reason, and nothing is sent")
def refused():
    server = Script(always(answer()))
    for options, word in ((["-n", "0"], "at least 1"), (["-c", "0"], "at least 1"), (["-n", "5", "--warmup", "1s"], "--warmup"),
                          (["-n", "500,000,000"], "500,000,000"), (["-n", "99999999999999999999"], "-n"), (["-d", "0"], "-d")):
        run = brunt("run", "--no-store", *options, server.url)
        equal((run.code, run.out), (2, ""), "exit code and stdout of %s" % options, run)
        expect(word in run.err, "%s: the line holds %r" % (options, word), run)
    equal(server.connections, 0, "connections")


# Cases 26 and 27: all views of one run are of the same samples.


def bucket_range(index):
    """doc/schema says how the buckets lie: exact below 512 ns, then each power of two in 256 parts."""
    shift = 0 if index < 512 else (index >> 8) - 1
    low = (index - (shift << 8)) << shift
    return low, low + (1 << shift) - 1


@case("case 27: histogram, percentiles and counts are of the same samples")
def views_agree():
    delays = [0.005 + 0.0003 * i for i in range(60)]

    def play(talk):
        while talk.request() is not None:
            time.sleep(delays[(talk.requests * 7 + talk.number) % len(delays)])
            if not talk.send(answer(b"12345")):
                return

    run = good_load(Script(play).url, "-c", "10", "-n", "600")
    hist, response = run.doc["histograms"]["response"], run.doc["latency_ns"]["response"]
    buckets = [(bucket_range(index), count) for index, count in hist["buckets"]]
    equal(sum(count for _, count in buckets), 600, "the buckets sum to the count", hist)
    equal((hist["count"], response["count"]), (600, 600), "counts")
    equal((hist["min_ns"], hist["max_ns"]), (response["min"], response["max"]), "ends")
    (low, high), _ = buckets[0]
    expect(low <= response["min"] <= high, "the lowest bucket holds the smallest", buckets[0], response)
    (low, high), _ = buckets[-1]
    expect(low <= response["max"] <= high, "the highest bucket holds the largest", buckets[-1], response)
    expect(response["min"] >= 5e6, "nothing is faster than the server", response)
    for name, share in (("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99)):
        rank, seen = -(-600 * int(share * 100) // 100), 0
        for (low, high), count in buckets:
            seen += count
            if seen >= rank:
                expect(low <= response[name] <= max(high, response["min"]), "%s lies in the bucket of its rank" % name, low, high, response)
                break
    between(response["mean"], response["min"], response["max"], "mean")
    equal(run.doc["bytes"]["body_in"] / run.doc["totals"]["ok"], 5, "bytes an answer", run)


@case("case 26: the share of late answers stays right however many come")
def late_share():
    # The last quarter is slower: a recorder that stops early shows none of it.
    def play(talk):
        while talk.request() is not None:
            if talk.requests > 1500:
                time.sleep(0.002)
            if not talk.send(answer(b"12345")):
                return

    run = good_load(Script(play).url, "-c", "2", "-n", "4000", timeout=60)
    response = run.doc["latency_ns"]["response"]
    equal(response["count"], 4000, "samples", run)
    equal(run.doc["bytes"]["body_in"], 20000, "bytes of bodies", run)
    expect(response["p90"] >= 2e6, "a quarter took 2 ms or more", response)


sys.exit(main())
