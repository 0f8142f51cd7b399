#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What must hold by itself: Little's law, the length of the measured time, every answer counted."""

import subprocess
import sys
import time

from truth import DRAWS, MS, column, cores, drawn, load  # isort: skip (it says where harness is)

import harness
from harness import Nginx, Serve, add_case, between, case, equal, main


def little(make, path, connections, *options):
    server = make(cores()[0])

    def measure():
        return load(server.url + path, "-c", str(connections), "-d", "4s", *options)

    def product(run):
        latency = run.doc["latency_ns"]
        # Where times end at our reading, the wait before it is in them.
        dwell = latency["dwell"]["mean"] if run.doc["generator"]["done_at"] == "kernel-stamp" else 0
        return run.doc["rate"]["ok_per_s"] * (latency["response"]["mean"] + dwell) / 1e9

    def judge(run):
        between(product(run) / connections, 0.98, 1.02, "X (R + dwell) / N")
        check = run.check("V-LITTLE")
        equal(check["level"], "ok", "V-LITTLE", check)

    drawn(measure, judge, lambda run: "%s c=%d: X (R + dwell) = %.3f" % (path, connections, product(run)), ("V-LITTLE",))


def nginx(core):
    return Nginx(bench=True, core=core)


def serve(core):
    return Serve(core=core)


for _make, _path, _connections, _options in (
        (nginx, "/", 1, ()), (nginx, "/", 50, ()), (nginx, "/", 1000, ()), (nginx, "/180k", 50, ()), (nginx, "/", 50, ("--close",)),
        (serve, "/delay?exp=5ms", 20, ()), (serve, "/delay?constant=20ms", 1, ()), (serve, "/", 50, ())):
    add_case("N = X (R + dwell + Z) within 2 %%: %s, %d connections %s" % (_path, _connections, " ".join(_options)), little, _make,
             _path, _connections, *_options)


def duration(options, seconds):
    server = Serve(log=True, core=cores()[0])

    def measure():
        server.truncate_log_keeping_names()
        run = load(server.url + "/delay?constant=5ms", "-c", "20", "-d", "%gs" % seconds, "--ramp", "0", *options)
        run.arrivals = []

        def logged():
            run.arrivals = column(server, "arrival_ns")
            return len(run.arrivals) >= run.doc["totals"]["ok"]

        harness.wait_until(logged, 10, "all lines in the server's log")
        return run

    def span(run):
        return (max(run.arrivals) - min(run.arrivals)) / 1e9

    def judge(run):
        warmup = run.doc["run"]["warmup_s"]
        between(run.doc["run"]["duration_s"], 0.99 * seconds, 1.01 * seconds, "duration_s")
        between(span(run), 0.99 * seconds + warmup, 1.01 * seconds + warmup + 0.02, "seconds of arrivals at the server")
        begin = min(run.arrivals) + warmup * 1e9
        inside = sum(1 for a in run.arrivals if begin <= a <= begin + seconds * 1e9)
        between(run.doc["counts"]["started"], inside * 0.99, inside * 1.01, "requests started inside the measured time")

    drawn(measure, judge, lambda run: "asked %g s: %.4f s, arrivals over %.4f s" % (seconds, run.doc["run"]["duration_s"], span(run)))


for _options, _seconds in (((), 2), ((), 10), (("--warmup", "0"), 1), (("--warmup", "1s"), 3)):
    add_case("-d is exact to 1 %% by the server's own clock: %g s %s" % (_seconds, " ".join(_options)), duration, _options, _seconds)


@case("a million and a half answers of 5 bytes are all counted")
def many():
    server = Serve(core=cores()[0])
    run = load(server.url + "/bytes/5", "-c", "50", "-n", "1500000", timeout=120)
    equal(run.code, 0, "exit code", run)
    equal(run.doc["totals"]["ok"], 1500000, "ok", run)
    equal(run.doc["bytes"]["body_in"], 7500000, "bytes of bodies", run)
    equal(run.doc["latency_ns"]["response"]["count"], 1500000, "samples", run)


def middle_ms(command, count=50):
    times = []
    for _ in range(count):
        began = time.perf_counter()
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True, timeout=30)
        times.append(1000 * (time.perf_counter() - began))
    return sorted(times)[count // 2]


@case("from the start to the end of `brunt run -n 1` it takes less than 15 ms")
def startup():
    server = Nginx(bench=True, core=cores()[0])
    command = [harness.BRUNT, "run", "-n", "1", "--progress", "none", "--no-store", server.url]
    for _ in range(DRAWS):
        nothing, ours = middle_ms(["true"]), middle_ms(command)
        harness.note("median %.1f ms, a program that does nothing %.1f ms" % (ours, nothing))
        if nothing < 3:
            # What starting any program costs here is not brunt's.
            between(ours - nothing, 0, 15, "median ms of `brunt run -n 1`, less those of `true`")
            return
    raise harness.Skip("this machine is too busy: `true` takes %.1f ms" % nothing)


@case("the floor of one connection is no higher than wrk's by a fifth")
def floor():
    from truth import wrk
    server_core, client_core = cores()
    server = Serve(core=server_core)
    peers = []

    def measure():
        peers.clear()
        runs = []
        for _ in range(3):
            peers.append(wrk(server.url + "/", 1, 2, client_core))
            runs.append(load(server.url + "/", "-c", "1", "-d", "2s"))
        return runs

    def points(runs):
        ours = sorted(run.doc["latency_ns"]["response"]["p50"] for run in runs)[1]
        return ours / MS, sorted(peer["p50"] for peer in peers)[1] / MS

    def judge(runs):
        ours, theirs = points(runs)
        between(ours, 0, 1.2 * theirs + 0.002, "p50 in ms, wrk says %.4f" % theirs)

    def figures(runs):
        last = runs[-1].doc["latency_ns"]["response"]
        return "p50 %.4f ms (wrk %.4f); p99 %.4f, p99.9 %.4f" % (points(runs) + (last["p99"] / MS, last["p99_9"] / MS))

    drawn(measure, judge, figures)


sys.exit(main())
