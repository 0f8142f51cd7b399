#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Against wrk, run in turn on the same server: the same rate and median, and no more spread."""

import statistics
import sys

from truth import MS, cores, drawn, load, wrk  # isort: skip (it says where harness is)

from harness import Nginx, Serve, between, case, expect, main, note

PAIRS = 3
TEN = 10
# The ratio of the standard deviations of two sets of ten draws of one law stays below this in
# 95 % of cases (F with 9 and 9 degrees of freedom: 3.18). More is more spread.
SPREAD_MAX = 3.18 ** 0.5


@case("rate within 3 % and median within 5 % of wrk's at 16 connections on a server of 5 ms")
def five_ms():
    server_core, client_core = cores()
    server = Serve(core=server_core)
    url = server.url + "/delay?constant=5ms"
    peers = []

    def measure():
        peers.clear()
        runs = []
        for _ in range(PAIRS):
            peers.append(wrk(url, 16, 4, client_core))
            runs.append(load(url, "-c", "16", "-d", "4s"))
        return runs

    def ratios(runs):
        rate = statistics.median(run.doc["rate"]["ok_per_s"] / peer["rate"] for run, peer in zip(runs, peers))
        middle = statistics.median(run.doc["latency_ns"]["response"]["p50"] / peer["p50"] for run, peer in zip(runs, peers))
        return rate, middle

    def judge(runs):
        rate, middle = ratios(runs)
        between(rate, 0.97, 1.03, "rate / wrk's rate")
        between(middle, 0.95, 1.05, "p50 / wrk's p50")

    drawn(measure, judge, lambda runs: "rate ratio %.4f, p50 ratio %.4f" % ratios(runs))


def spread(values):
    return statistics.stdev(values) / statistics.mean(values)


def ten_runs(*options, connections=50):
    server_core, client_core = cores()
    server = Nginx(bench=True, core=server_core)
    url = server.url + "/"
    peers = []

    def measure():
        peers.clear()
        runs = []
        for _ in range(TEN):
            peers.append(wrk(url, connections, 3, client_core))
            runs.append(load(url, "-c", str(connections), "-d", "3s", *options))
        return runs

    def spreads(runs):
        return {"rate": (spread([run.doc["rate"]["ok_per_s"] for run in runs]), spread([p["rate"] for p in peers])),
                "p99": (spread([run.doc["latency_ns"]["response"]["p99"] for run in runs]), spread([p["p99"] for p in peers]))}

    def judge(runs):
        for name, (ours, theirs) in spreads(runs).items():
            expect(ours <= theirs * SPREAD_MAX or ours < 0.01, "%s: spread %.2f %%, wrk's %.2f %%" % (name, 100 * ours, 100 * theirs))

    def figures(runs):
        note("rates %s" % [int(run.doc["rate"]["ok_per_s"]) for run in runs])
        note("wrk's %s" % [int(p["rate"]) for p in peers])
        note("p99s %s ms" % [round(run.doc["latency_ns"]["response"]["p99"] / MS, 3) for run in runs])
        note("wrk's %s ms" % [round(p["p99"] / MS, 3) for p in peers])
        return "spread of brunt and wrk: " + ", ".join("%s %.2f %% and %.2f %%" % (n, 100 * a, 100 * b)
                                                       for n, (a, b) in spreads(runs).items())

    drawn(measure, judge, figures)


@case("ten equal runs against nginx spread no more in rate and p99 than wrk's own ten")
def ten():
    ten_runs()


sys.exit(main())
