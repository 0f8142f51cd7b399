#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Percentiles against the true holds of the same requests, as the built-in server logged them.

With the word `quick` as an argument only the short cases run.
"""

import sys

from truth import MS, cores, drawn, holds, load, quantile  # isort: skip (it says where harness is)

import harness
from harness import Serve, add_case, between, equal, main

# share, part of the truth, and ms on top that an estimate may be off by
TOLERANCES = (("p50", 0.50, 0.01, 0.1), ("p99", 0.99, 0.01, 0.3), ("p99_9", 0.999, 0.03, 0.3))

LAWS = (
    ("constant=20ms", 50, 25000),
    ("exp=5ms", 20, 40000),
    ("lognormal=5ms,0.5", 20, 40000),
    ("list=1ms:85,5ms:13,50ms:2", 20, 40000),
    ("constant=20ms&bytes=20000", 20, 8000),
    # Many, since around the median of a few hundred the gaps are as wide as the tolerance.
    ("exp=5ms", 1, 3000),
)
QUICK = (("constant=20ms", 50, 5000), ("exp=5ms", 20, 8000))


def against_the_log(law, connections, number, *options):
    server_core, _ = cores()
    server = Serve(log=True, core=server_core)

    def measure():
        server.truncate_log_keeping_names()
        run = load(server.url + "/delay?" + law, "-c", str(connections), "-n", str(number), *options)
        run.truth = []

        def logged():
            run.truth = holds(server)
            return len(run.truth) >= number

        # The server gathers lines and writes them while it idles.
        harness.wait_until(logged, 10, "%d lines in the server's log" % number)
        return run

    def judge(run):
        equal(len(run.truth), number, "lines in the log", run)
        response = run.doc["latency_ns"]["response"]
        equal(response["count"], number, "samples", run)
        for name, share, part, more_ms in TOLERANCES:
            if number * (1 - share) < 1:
                continue
            truth = quantile(run.truth, share)
            slack = part * truth + more_ms * MS
            between(response[name] / MS, (truth - slack) / MS, (truth + slack) / MS, "%s in ms, truth %.3f" %
                    (name, truth / MS))

    def figures(run):
        response = run.doc["latency_ns"]["response"]
        return "%s c=%d: " % (law, connections) + ", ".join(
            "%s %.3f (true %.3f)" % (name, (response[name] or 0) / MS, quantile(run.truth, share) / MS)
            for name, share, _, _ in TOLERANCES)

    drawn(measure, judge, figures)


if "quick" in sys.argv:
    sys.argv.remove("quick")
    for _law, _connections, _number in QUICK:
        add_case("percentiles are those of the log, %s at %d connections" % (_law, _connections), against_the_log, _law,
                 _connections, _number)
else:
    for _law, _connections, _number in LAWS:
        add_case("percentiles are those of the log, %s at %d connections" % (_law, _connections), against_the_log, _law,
                 _connections, _number)
    add_case("percentiles are those of the log, short connections", against_the_log, "exp=5ms", 20, 10000, "--close")

sys.exit(main())
