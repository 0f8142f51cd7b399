#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Public bug reports on times and their distribution, and others of their kinds: CASES.md has the list."""

import re
import sys
import threading
import time

from harness import Script, add_case, always, answer, between, case, equal, expect, good_load, load, main

MS = 1e6


def after(seconds):
    """Every answer so long after its request."""

    def play(talk):
        while talk.request() is not None:
            time.sleep(seconds)
            if not talk.send(answer()):
                return

    return play


def silent(talk):
    if talk.request() is not None:
        talk.wait_gone()


def rates_agree(run):
    """The rates are the counts over the time, whatever the run was."""
    rate, seconds = run.doc["rate"], run.doc["run"]["duration_s"]
    counts = run.doc["counts"]
    between(rate["ok_per_s"] * seconds, 0, counts["ok"] + 0.5, "ok_per_s times duration", run)
    between(rate["failed_per_s"] * seconds, 0, counts["failed"] + 0.5, "failed_per_s times duration", run)
    between(run.doc["run"]["wall_s"], seconds, 60, "wall_s", run)


# Case 21: the duration is wall time, whatever the load.


@case("case 21: where every request ends in a timeout, the run lasts as long as it was asked to")
def all_time_out():
    server = Script(silent)
    run = load(server.url, "-c", "20", "-d", "2s", "--warmup", "0", "--timeout", "300ms")
    equal(run.code, 3, "exit code", run)
    between(run.doc["run"]["duration_s"], 1.98, 2.02, "duration_s", run)
    between(run.wall, 2, 20, "seconds", run)
    equal(set(run.doc["totals"]["by_failure"]), {"timeout-first-byte"}, "by_failure", run)
    expect(run.doc["rate"]["failed_per_s"] > 0, "failures have a rate", run)
    rates_agree(run)


@case("case 21: 250 threads on few CPUs give a duration and rates that agree")
def many_threads():
    server = Script(always(answer()))
    run = load(server.url, "-c", "250", "-d", "500ms", "--threads", "250", "--warmup", "0", "--ramp", "200ms")
    equal(run.doc["plan"]["threads"], 250, "threads", run)
    between(run.doc["run"]["duration_s"], 0.495, 0.505, "duration_s", run)
    between(run.wall, 0.7, 20, "seconds", run)
    between(run.doc["rate"]["ok_per_s"], 1, 2 * server.requests, "the rate is no more than the server saw", run)
    rates_agree(run)


@case("case 21: a run that takes one request lasts as long as that, and not a moment of nothing")
def one_request():
    run = good_load(Script(after(0.2)).url, "-c", "1", "-n", "1")
    between(run.doc["run"]["duration_s"], 0.2, 5, "duration_s", run)
    between(run.doc["rate"]["ok_per_s"], 0.2, 5, "ok_per_s", run)
    rates_agree(run)


# Case 22: few answers, short runs, none: finite numbers or null, in every output.

SHORT = [("one", ["-n", "1"], 200), ("eight", ["-n", "8"], 200), ("a millisecond", ["-d", "1ms"], 200), ("100 ms", ["-d", "100ms"], 200),
         ("no good one", ["-n", "3"], 500)]


def short(options, status):
    server = Script(always(answer(b"ok", status)))
    run = load(server.url, "-c", "1", *options, "--slo", "p95<10s", "--slo", "p99.9<10s", "--slo", "mean<10s", "--slo", "max<10s", "-v")
    expect(not re.search(r"\b(nan|inf|infinity)\b", run.said(), re.I), "nothing that is no number in the text", run)
    states = {slo["expr"]: slo["state"] for slo in run.doc["slo"]}
    if status == 200 and run.doc["counts"]["ok"]:
        equal(set(states.values()), {"held"}, "states", run)
    if run.doc["counts"]["ok"] == 0:
        equal(states["mean<10s"], "no-data", "state of a mean of nothing", run)
        expect("no data" in run.said(), "the text says no data", run)
        equal(run.code, 3, "exit code", run)
    if run.doc["counts"]["ok"] == 8:
        expect("n/a (8 samples)" in run.said(), "the text says of how many", run)
        equal(run.doc["latency_ns"]["response"]["p99"], None, "p99 of 8", run)
    for latency in run.doc["latency_ns"].values():
        equal(latency["count"] == 0, latency["mean"] is None, "the mean of nothing is null", latency)


for _words, _options, _status in SHORT:
    add_case("case 22: %s: every field a finite number or null" % _words, short, _options, _status)


# Case 23: a server that freezes, seen by a closed load: both views, and which is which.


@case("case 23: a server that stands still for part of the time is seen in the second view, which says what it is")
def frozen():
    frozen_until = [None]
    lock = threading.Lock()

    def play(talk):
        while talk.request() is not None:
            with lock:
                if talk.requests == 50 and frozen_until[0] is None:
                    frozen_until[0] = time.monotonic() + 1
            time.sleep(0.004)
            left = (frozen_until[0] or 0) - time.monotonic()
            if left > 0:
                time.sleep(left)
            if not talk.send(answer()):
                return

    run = good_load(Script(play).url, "-c", "1", "-d", "3s", "--warmup", "0", timeout=30)
    response, paced = run.doc["latency_ns"]["response"], run.doc["latency_ns"]["paced"]
    # Bounds that a machine which stands still itself keeps; exact numbers are in unit/stats/test_paced.
    expect(response["p50"] < 300 * MS, "one slow answer among many is no median", response)
    expect(response["max"] > 900 * MS, "the slow one is there", response)
    equal(paced["max"], response["max"], "the slowest is in both views", paced)
    expect(paced["count"] > 1.2 * response["count"], "paced counts those that would have come", paced, response)
    expect(paced["p90"] > 300 * MS, "a third of the time was slow", paced)
    expect(re.search(r"\blatency mean .* paced mean .*p50.*p95", run.said()), "both lines", run)
    expect("latency counts each answer once; paced is what users see who" in run.said(), "which is which", run)


@case("case 23: a server that never stands still is shown once")
def never_frozen():
    run = good_load(Script(after(0.02)).url, "-c", "4", "-n", "200")
    response, paced = run.doc["latency_ns"]["response"], run.doc["latency_ns"]["paced"]
    if response["max"] < 2 * response["p50"]:
        equal(paced["count"], response["count"], "nothing is added", run)
        expect("paced" not in run.said(), "no second view", run)


# Case 24: one connection without pauses.


@case("case 24: throughput times latency of one connection is 1")
def little():
    run = good_load(Script(after(0.01)).url, "-c", "1", "-n", "150")
    latency = run.doc["latency_ns"]
    mean = latency["response"]["mean"] + (latency["dwell"]["mean"] or 0)
    between(run.doc["rate"]["ok_per_s"] * mean / 1e9, 0.97, 1.01, "X (R + dwell): dwell is the overhead that is stated", run)
    equal(run.check("V-LITTLE")["level"], "ok", "V-LITTLE", run)


# Case 25: slower than the timeout, by a little or by a lot, in the head or in the body.


def all_slow(play, cause, number, timeout_ms):
    # By far slower, since a stall of this machine must not let an answer come in time.
    run = load(Script(play).url, "-c", "4", "-n", str(number), "--timeout", "%dms" % timeout_ms, "--slo", "p95<100s")
    totals = run.doc["totals"]
    equal((run.code, totals["ok"], totals["failed"]), (3, 0, number), "exit code, ok and failed", run)
    equal(totals["by_failure"], {cause: number}, "by_failure", run)
    response, failed = run.doc["latency_ns"]["response"], run.doc["latency_ns"]["failed_response"]
    equal((response["count"], response["min"], response["p50"], response["max"]), (0, None, None, None), "response", run)
    equal(failed["count"], number, "failed_response", run)
    expect(failed["min"] >= 0.99 * timeout_ms * MS, "a failure took at least the timeout", failed)
    slo = run.doc["slo"][0]
    equal((slo["state"], slo["violations"], slo["of"]), ("missed", number, number), "they count against the promise", slo)
    expect(re.search(r"latency n/a \(no good answer\)", run.said()), "no figures of successes", run)


def slow_body(talk):
    while talk.request() is not None:
        if not talk.send(answer(b"x" * 10)[:-5]):
            return
        time.sleep(5)


add_case("case 25: all slower than the timeout: one class, no latency of successes", all_slow, after(5), "timeout-first-byte", 40, 5)
add_case("case 25: all slower than the timeout in the body", all_slow, slow_body, "timeout-body", 8, 300)


# Case 28: the order of statistics, of one sample and of a lone slow one.


@case("case 28: one sample is its own minimum, mean and maximum, to the nanosecond and in the text")
def one_sample():
    run = good_load(Script(after(0.1)).url, "-c", "1", "-n", "1")
    response = run.doc["latency_ns"]["response"]
    equal(response["min"], response["max"], "min and max", response)
    equal(response["mean"], response["max"], "mean and max", response)
    found = re.search(r"mean ([\d.]+ m?s) .*max ([\d.]+ m?s)", run.said())
    expect(found and found.group(1) == found.group(2), "the text says one value", run)


@case("case 28: a slow one of 150 moves the mean and the maximum, and no percentile up to p99")
def lone_slow():
    def play(talk):
        while talk.request() is not None:
            if talk.requests == 70:
                time.sleep(1.5)
            if not talk.send(answer()):
                return

    run = good_load(Script(play).url, "-c", "1", "-n", "150")
    response = run.doc["latency_ns"]["response"]
    between(response["max"] / MS, 1500, 10000, "max in ms", response)
    expect(response["mean"] > 10 * MS, "the mean holds it", response)
    expect(response["p99"] < 1000 * MS, "p99 is a fast one", response)
    expect(0 < response["min"] <= response["p50"] <= response["p90"] <= response["p95"] <= response["p99"] < response["max"], "order", response)


sys.exit(main())
