#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tens of thousands of connections from one process: what each costs, and that measuring does not suffer.

The memory of a connection is what the peak of the resident set (VmHWM) of a run grows by, from FEW
connections to many, for each of them: all that the program keeps of it. What the kernel keeps of a
socket is not in it. With the word `quick` as an argument only a small load runs.
"""

import os
import resource
import sys
import time

from truth import DRAWS, MS, cores, drawn, load  # isort: skip (it says where harness is)

import harness
from harness import Serve, Skip, add_case, between, equal, expect, main, note

FEW = 200
BYTES_MAX = 3000
DWELL_SHARE = 0.05
OTHER_DESCRIPTORS = 100  # of either program, beside its connections


def room(wanted):
    """How many connections the limit of descriptors allows, at most as many as wanted. It is raised where it
    can be; here and in all that is started later."""
    try:
        harness.need_descriptors(wanted + OTHER_DESCRIPTORS)
    except Skip as why:
        note("the limit cannot be raised: %s" % why)
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        harness.need_descriptors(hard)
        return hard - OTHER_DESCRIPTORS
    return wanted


def descriptors(pid):
    """How many a process has open."""
    try:
        return os.stat("/proc/%d/fd" % pid).st_size or len(os.listdir("/proc/%d/fd" % pid))
    except OSError:
        return 0


def watched_load(url, server, *options, timeout):
    """A load with run.open: the most connections that both programs had open at one time."""
    _, core = cores()
    prefix = ["taskset", "-c", str(core)] if core is not None else []
    started = harness.start_load(url, "-t", "1", *options, prefix=prefix)
    most = 0
    while started.process.poll() is None and time.monotonic() < started.began + timeout:
        started.peak = harness.peak_kb(started.process.pid) or started.peak
        most = max(most, min(descriptors(started.process.pid), descriptors(server.process.pid)))
        time.sleep(0.1)
    run = started.finish(timeout)
    run.open = most
    if run.doc is not None:
        harness.conserved(run)
    return run


def kept_alive(wanted, path, ramp, seconds, sources=0, draws=DRAWS):
    """Open at one time, nothing lost, little memory each, and the answers are not left lying."""
    connections = room(wanted)
    server = Serve(core=cores()[0])
    bind = ["--bind", ",".join("127.0.0.%d" % i for i in range(1, sources + 1))] if sources else []
    few_kb = watched_load(server.url + path, server, "-c", str(FEW), "-d", "2s", timeout=30).peak_kb

    def each(run):
        return 1024 * (run.peak_kb - few_kb) / (connections - FEW)

    def measure():
        run = watched_load(server.url + path, server, "-c", str(connections), "--ramp", "%gs" % ramp, "-d", "%gs" % seconds, "--drain",
                           "30s", *bind, timeout=ramp + seconds + 60)
        # None of these depends on how busy the machine is.
        expect(run.doc is not None and run.doc["counts"]["ok"] > 0, "nothing was measured", run)
        totals = run.doc["totals"]
        expect(run.open >= connections, "only %d connections were open at one time" % run.open, run)
        equal((totals["failed"], totals["unfinished"], totals["reconnects"]), (0, 0, 0), "failed, unfinished, reconnects", run)
        between(each(run), 0, BYTES_MAX, "bytes of user memory for a connection", run)
        return run

    def judge(run):
        latency = run.doc["latency_ns"]
        if path == "/" and run.check("V-GEN-CPU")["level"] != "ok":
            return  # a server without a delay is as fast as its client, which then is the limit, and says so
        between(latency["dwell"]["p50"] / MS, 0, DWELL_SHARE * latency["response"]["p50"] / MS, "p50 of dwell in ms")

    def figures(run):
        response, dwell = run.doc["latency_ns"]["response"], run.doc["latency_ns"]["dwell"]
        return "%s c=%d: open %d, %.0f/s, %.0f bytes each (VmHWM %d kB), response p50 %.3f ms, dwell p50 %.3f (%.1f %%) p99 %.3f, busy %.0f %%" % (
            path, connections, run.open, run.doc["rate"]["ok_per_s"], each(run), run.peak_kb, response["p50"] / MS, dwell["p50"] / MS,
            100 * dwell["p50"] / response["p50"], dwell["p99"] / MS, 100 * run.doc["generator"]["busy_max"])

    drawn(measure, judge, figures, ("V-GEN-CPU",) if path == "/" else (), draws)
    if connections < 0.99 * wanted:
        raise Skip("%d of %d connections: the limit of descriptors is %d" % (
            connections, wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def short(seconds, *options):
    """110 users, 50 ms an answer: some 2,190 connections a second, if each finds a port."""
    server = Serve(core=cores()[0])

    def measure():
        return load(server.url + "/delay?constant=50ms", "--close", "-c", "110", "-d", "%gs" % seconds, *options, timeout=seconds + 60)

    def judge(run):
        totals = run.doc["totals"]
        equal(totals["by_failure"], {}, "failures", run)
        expect(totals["started"] >= 2000 * seconds, "%d connections in %g s" % (totals["started"], seconds), run)
        between(run.doc["rate"]["ok_per_s"], 2000, 2250, "short connections a second", run)
        equal(run.check("V-PORTS")["level"] if run.check("V-PORTS") else "ok", "ok", "V-PORTS", run)

    drawn(measure, judge, lambda run: "%s: %.0f/s, %s in all, connect p50 %.3f ms" % (
        " ".join(options), run.doc["rate"]["ok_per_s"], run.doc["totals"]["started"], run.doc["latency_ns"]["connect"]["p50"] / MS))


if "quick" in sys.argv:
    sys.argv.remove("quick")
    add_case("5,000 connections are open at one time, cost little memory, and no answer is left lying", kept_alive, 5000,
             "/delay?constant=500ms", 2, 5, 0, 2)
else:
    add_case("20,000 connections, a second an answer: little memory each, and no answer is left lying", kept_alive, 20000,
             "/delay?constant=1s", 10, 20)
    add_case("20,000 connections back to back: little memory each, and who is the limit is told", kept_alive, 20000, "/", 10, 20)
    add_case("100,000 connections over eight source addresses: little memory each, and no answer is left lying", kept_alive, 100000,
             "/delay?constant=5s", 50, 20, 8)
    add_case("2,000 short connections a second for a minute, and each finds a port", short, 60)
    add_case("2,000 short connections a second for a minute from two addresses", short, 60, "--bind", "127.0.0.1,127.0.0.2")

sys.exit(main())
