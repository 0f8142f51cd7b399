#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Over a path of 40 ms: times are those of the path and the server, to 1 % and a tenth of a millisecond.

The truth is what the relay measured of the path, as many times as an exchange goes around it, and what the
server's log says of its own time. A handshake of TLS is computed as well, by one end after the other: by at most the CPU time
of both for a connection, of which all else is little. With the word `quick` as an argument only a short load runs.
"""

import os
import sys

from truth import DRAWS, MS, cores, drawn, holds, load, quantile  # isort: skip (it says where harness is)

import harness
from certificates import Authority
from harness import Serve, add_case, between, equal, expect
from namespace import main_inside
from path import SERVER, Path

ONE_WAY_US = 20000
PART, MORE_MS = 0.01, 0.1
RELAY_MS = 0.05  # its own error in one direction
HELD = "/delay?constant=5ms"
# Round trips of TLS's handshake, by version: a resumed one of 1.2 saves one.
TLS_TRIPS = {"1.3": 1, "1.2": 2, "1.2 resumed": 1}


class Served:
    """`brunt serve` at the far end. url, load_options; begin(), then held(): the p50 ns of its own time since."""

    def __init__(self, path, tls):
        options, self.load_options = [], []
        if tls:
            authority = Authority()
            own = authority.server(names="IP:" + SERVER)
            options = ["--tls", "--tls-cert", own.chain, "--tls-key", own.key]
            self.load_options = ["--cacert", authority.root]
        with path.server.inside():
            self.server = Serve(*options, log=True, core=cores()[0], host=SERVER)
        self.url = self.server.url.replace("http:", "https:" if tls else "http:") + HELD

    def begin(self):
        self.server.truncate_log_keeping_names()

    def cpu_ns(self):
        with open("/proc/%d/stat" % self.server.process.pid) as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1e9 / os.sysconf("SC_CLK_TCK")

    def held(self, count):
        harness.wait_until(lambda: len(holds(self.server)) >= count, 10, "all lines in the server's log")
        return quantile(holds(self.server), 0.5)


def close_to(got_ns, truth_ns, what, more_ns=0):
    """more_ns: what the truth may have on top."""
    slack = PART * truth_ns / MS + MORE_MS
    between(got_ns / MS, truth_ns / MS - slack, (truth_ns + more_ns) / MS + slack, "p50 of %s in ms" % what)


def over_the_path(tls, trips, seconds, draws, *options):
    """trips: the round trips of each phase of an exchange."""
    path = Path(ONE_WAY_US, cores()[0])
    far = Served(path, tls)

    def measure():
        path.carry()
        far.begin()
        used = far.cpu_ns()
        with path.client.inside():
            run = load(far.url, "-d", "%gs" % seconds, "--warmup", "0", "--ramp", "1s", *far.load_options, *options)
        expect(run.doc is not None, "there is no document", run)
        equal((run.doc["totals"]["failed"], run.doc["totals"]["unfinished"]), (0, 0), "failed and unfinished", run)
        run.held, run.trip = far.held(run.doc["totals"]["ok"]), path.measured()
        ours = run.doc["generator"]["cpu_s"] * 1e9 / run.doc["counts"]["ok"]
        run.computing = ours + (far.cpu_ns() - used) / run.doc["totals"]["ok"]
        return run

    def truth(run, name):
        return trips[name] * run.trip + (run.held if name == "first_byte" else 0)

    def whole(run):
        return sum(truth(run, name) for name in trips) + (run.computing if "tls" in trips else 0)

    def judge(run):
        between(run.trip / MS, 2 * ONE_WAY_US / 1000, 2 * ONE_WAY_US / 1000 + 2 * RELAY_MS, "ms of a round trip, by the relay")
        for name in trips:
            close_to(run.doc["latency_ns"][name]["p50"], truth(run, name), name, run.computing if name == "tls" else 0)
        close_to(run.doc["latency_ns"]["response"]["p50"], whole(run), "response")

    def figures(run):
        latency = run.doc["latency_ns"]
        return "%s: a round trip %.3f ms, held %.3f, computing %.3f; %d answers, p50 (truth): " % (
            " ".join(options), run.trip / MS, run.held / MS, run.computing / MS, latency["response"]["count"]) + ", ".join(
                "%s %.3f (%.3f)" % (name, latency[name]["p50"] / MS, truth(run, name) / MS) for name in trips) + (
                    ", response %.3f (%.3f)" % (latency["response"]["p50"] / MS, whole(run) / MS))

    drawn(measure, judge, figures, draws=draws)


def add(text, tls, trips, *options):
    add_case("the p50 over a path of 40 ms is the truth: " + text, over_the_path, tls, trips, 6, DRAWS, "-c", "8", *options)


if "quick" in sys.argv:
    sys.argv.remove("quick")
    add_case("the p50 over a path of 40 ms is the truth: TLS 1.3, kept alive", over_the_path, True, {"first_byte": 1}, 2, 2, "-c", "5")
else:
    add("kept alive", False, {"first_byte": 1})
    add("short", False, {"connect": 1, "first_byte": 1}, "--close")
    add("TLS 1.3, kept alive", True, {"first_byte": 1}, "--tls-version", "1.3")
    add("TLS 1.2, kept alive", True, {"first_byte": 1}, "--tls-version", "1.2")
    for _version, _trips in TLS_TRIPS.items():
        add("TLS %s, short" % _version, True, {"connect": 1, "tls": _trips, "first_byte": 1}, "--close", "--tls-version",
            _version.split()[0], "--tls-resume", "on" if "resumed" in _version else "off")

sys.exit(main_inside(lambda: None, 600))
