#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Limits of this machine: descriptors, memory, and how they are told."""

import resource
import sys
import time

from harness import (Nginx, Script, always, answer, between, case, equal, expect, good_load, load, main, need_descriptors, peak_kb,
                     start_load)


@case("too few descriptors are refused before the start, with the number needed")
def too_few():
    server = Script(always(answer()))
    for options in (["-n", "1000"], ["-d", "5s"], ["-n", "1000", "--close"]):
        run = load(server.url, "-c", "200", *options, limits={resource.RLIMIT_NOFILE: (64, 64)})
        equal(run.code, 2, "exit code", run)
        equal(run.out, "", "stdout", run)
        equal(len(run.err.splitlines()), 1, "lines on stderr", run)
        numbers = [int(word) for word in run.err.replace(",", "").replace("'", " ").split() if word.isdigit()]
        expect(any(200 < number < 1000 for number in numbers), "the number needed is named", run)
        expect("64" in run.err, "the limit is named", run)
        equal((server.connections, server.requests), (0, 0), "connections and requests", run)


@case("a soft limit that is too low is raised by itself")
def raised():
    server = Nginx()
    run = good_load(server.url + "/", "-c", "200", "-n", "1000", limits={resource.RLIMIT_NOFILE: (64, 4096)})
    equal(run.doc["totals"]["ok"], 1000, "ok", run)
    check = run.check("V-FD")
    expect(check is not None and check["level"] in ("ok", "info"), "V-FD", check)


@case("as many connections as the limit just allows work")
def just_enough():
    server = Nginx()
    run = load(server.url + "/", "-c", "20", "-n", "500", limits={resource.RLIMIT_NOFILE: (100, 100)})
    equal(run.code, 0, "exit code", run)
    equal(run.doc["totals"]["ok"], 500, "ok", run)


@case("memory does not grow with the number of requests")
def memory():
    server = Nginx()
    run = start_load(server.url + "/", "-c", "50", "-d", "8s", "--warmup", "0")
    time.sleep(2)
    early = peak_kb(run.process.pid)
    time.sleep(5.5)
    late = peak_kb(run.process.pid)
    result = run.finish(20)
    expect(result.doc["totals"]["ok"] > 20000, "a real load", result)
    expect(early is not None and late is not None, "memory was read", result)
    between(late - early, 0, 256, "growth of peak memory in KB from 2 s to 7.5 s", result)
    between(result.doc["generator"]["rss_bytes"] / 1024, 0.5 * late, 1.5 * result.peak_kb, "rss_bytes / 1024", result)


@case("short connections leave no memory behind either")
def memory_short():
    server = Nginx()
    run = start_load(server.url + "/", "-c", "20", "-d", "5s", "--warmup", "0", "--close")
    time.sleep(1.5)
    early = peak_kb(run.process.pid)
    time.sleep(3)
    late = peak_kb(run.process.pid)
    result = run.finish(20)
    expect(result.doc["totals"]["ok"] > 5000, "a real load", result)
    between(late - early, 0, 256, "growth of peak memory in KB", result)


@case("2,000 connections cost a few KB each")
def memory_per_connection():
    need_descriptors(6000)
    server = Nginx()
    small = good_load(server.url + "/", "-c", "10", "-n", "5000", "--threads", "1")
    large = good_load(server.url + "/", "-c", "2000", "-n", "5000", "--threads", "1")
    between((large.peak_kb - small.peak_kb) / 1990, 0, 3, "KB a connection", large)


@case("no descriptor is left open by connections that come and go")
def descriptors():
    server = Nginx(keepalive_requests=5)
    run = good_load(server.url + "/", "-c", "40", "-n", "20000", limits={resource.RLIMIT_NOFILE: (150, 150)})
    between(run.doc["totals"]["reconnects"], 3900, 4000, "reconnects", run)


sys.exit(main())
