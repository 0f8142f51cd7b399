#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads a real nginx: the totals are those of its access log."""

import os
import sys

from harness import (PAGES, Nginx, add_case, between, case, equal, expect, good_load, load, main, matches_log,
                     need_descriptors)
from matrix import plain
from server import EMPTY
from shapes import add_shapes
from tap import once

CONNECTIONS = (1, 50, 500, 2000)
NUMBER = {1: 300, 50: 5000, 500: 5000, 2000: 6000}


def statuses(server):
    found = {}
    for line in server.log_lines():
        status = line.split("|")[3]
        found[status] = found.get(status, 0) + 1
    return found


def exact_number(path, connections, close):
    need_descriptors(6000)
    server = Nginx()
    number = NUMBER[connections] if path != "/180k" else min(NUMBER[connections], 3000)
    options = ["-c", str(connections), "-n", str(number)] + (["--close"] if close else [])
    run = good_load(server.url + path, *options)
    equal(run.doc["totals"]["ok"], number, "ok", run)
    equal(server.settled_lines(number), number, "lines in the access log", run)
    equal(run.doc["totals"]["by_status"], {"200": number}, "by_status", run)
    equal(run.doc["counts"], run.doc["totals"], "with -n all requests are measured", run)
    equal(run.doc["bytes"]["body_in"], number * PAGES[path], "bytes of bodies", run)
    sent = sum(int(line.split("|")[6]) for line in server.log_lines())
    equal(run.doc["bytes"]["in"], sent, "bytes in, as nginx counted them", run)
    received = sum(int(line.split("|")[7]) for line in server.log_lines())
    equal(run.doc["bytes"]["out"], received, "bytes out, as nginx counted them", run)
    used = {line.split("|")[4] for line in server.log_lines()}
    if close:
        equal(len(used), number, "connections that nginx saw", run)
        equal(run.doc["totals"]["reconnects"], 0, "short connections are no reconnects", run)
    else:
        equal(len(used), min(connections, number), "connections that nginx saw", run)
    equal(run.doc["plan"]["keepalive"], not close, "plan.keepalive", run)
    equal(run.doc["plan"]["connections"], connections, "plan.connections", run)


def by_duration(path, connections, close):
    need_descriptors(6000)
    server = Nginx()
    options = ["-c", str(connections), "-d", "1s", "--ramp", "0.5s"] + (["--close"] if close else [])
    run = good_load(server.url + path, *options)
    totals = run.doc["totals"]
    lines = server.settled_lines(totals["started"])
    matches_log(run, lines, totals["unfinished"])
    between(run.doc["run"]["duration_s"], 0.99, 1.01, "duration_s", run)
    expect(run.doc["counts"]["started"] < totals["started"], "ramp and warm-up are left out of counts", run)
    rate = run.doc["rate"]["ok_per_s"]
    between(rate, 0.9 * run.doc["counts"]["ok"] - connections, 1.1 * run.doc["counts"]["ok"] + connections,
            "ok_per_s", run)


for _path in PAGES:
    for _connections in CONNECTIONS:
        for _close in (False, True):
            _words = "%s, %d %s connections" % (_path, _connections, "short" if _close else "kept-alive")
            add_case("-n is the access log to the last request: " + _words, exact_number, _path, _connections, _close)
for _path, _connections, _close in (("/", 50, False), ("/", 50, True), ("/4k", 500, False), ("/180k", 50, False),
                                    ("/180k", 500, True), ("/", 2000, False)):
    _words = "%s, %d %s connections" % (_path, _connections, "short" if _close else "kept-alive")
    add_case("-d is the access log up to what was cut: " + _words, by_duration, _path, _connections, _close)


@case("several threads share -n exactly")
def threads():
    server = Nginx()
    run = good_load(server.url + "/", "-c", "7", "-n", "1003", "--threads", "2")
    equal(run.doc["plan"]["threads"], 2, "threads", run)
    equal(server.settled_lines(1003), 1003, "lines in the access log", run)


@case("connections that nginx ends after 100 requests are opened again, with no failure")
def keepalive_requests():
    server = Nginx(keepalive_requests=100)
    run = good_load(server.url + "/", "-c", "10", "-n", "5000")
    equal(server.settled_lines(5000), 5000, "lines in the access log", run)
    used = {line.split("|")[4] for line in server.log_lines()}
    equal(run.doc["totals"]["reconnects"], len(used) - 10, "reconnects", run)
    between(run.doc["totals"]["reconnects"], 40, 50, "reconnects", run)


@case("statuses are counted as nginx logs them, and only good ones are ok")
def by_status():
    server = Nginx()
    for path, status, good in (("/none", "204", True), ("/old", "301", True), ("/missing", "404", False)):
        server.truncate_log()
        run = load(server.url + path, "-c", "5", "-n", "200")
        equal(server.settled_lines(200), 200, "lines in the access log", run)
        equal(statuses(server), {status: 200}, "statuses in the log", run)
        equal(run.doc["totals"]["by_status"], {status: 200}, "by_status", run)
        equal(run.doc["totals"]["ok"], 200 if good else 0, "ok", run)
        equal(run.doc["totals"]["by_failure"], {} if good else {"status": 200}, "by_failure", run)
        equal(run.code, 0 if good else 3, "exit code", run)


@case("a page of 3 GB is counted to the byte")
def large():
    server = Nginx()
    size = 3 << 30
    with open(os.path.join(server.dir, "www", "large"), "wb") as page:
        page.truncate(size)
    run = good_load(server.url + "/large", "-c", "1", "-n", "1")
    equal(run.doc["bytes"]["body_in"], size, "bytes of bodies", run)
    between(run.doc["bytes"]["in"], size + 100, size + 1000, "bytes in", run)
    equal(run.doc["first_answer"]["bytes"], size, "first_answer.bytes", run)


@case("the first answer is shown as it was")
def first_answer():
    server = Nginx()
    run = good_load(server.url + "/4k", "-c", "2", "-n", "10")
    first = run.doc["first_answer"]
    equal(first["status"], 200, "status", run)
    equal(first["bytes"], 4096, "bytes", run)
    expect(first["server"].startswith("nginx"), "server is %r" % first["server"], run)
    expect("text/html" in first["content_type"], "content_type is %r" % first["content_type"], run)
    expect(str(server.port) in first["address"], "address is %r" % first["address"], run)


@case("each user's requests go over a connection of its own, evenly")
def even():
    server = Nginx()
    run = good_load(server.url + "/", "-c", "20", "-n", "4000")
    uses = {}
    server.settled_lines(4000)
    for line in server.log_lines():
        connection = line.split("|")[4]
        uses[connection] = uses.get(connection, 0) + 1
    equal(len(uses), 20, "connections", run)
    expect(min(uses.values()) >= 20, "a connection was starved: %s" % sorted(uses.values()), run)


@case("an open keep-alive load reports Little's law within 2 %")
def little():
    server = Nginx()
    run = good_load(server.url + "/", "-c", "50", "-d", "2s")
    check = run.check("V-LITTLE")
    expect(check is not None, "V-LITTLE is in the document", run.doc["validity"])
    equal(check["level"], "ok", "V-LITTLE", check)


for _close in (False, True):
    add_case("-n is the access log: a page of no bytes, %s connections" % ("short" if _close else "kept-alive"), plain, Nginx, EMPTY,
             50, _close)

# With server-side includes, and when it compresses, nginx answers in chunks.
dynamic = once(lambda: Nginx(http="gzip on;", server="location /ssi/ { alias www/; ssi on; }"))
add_shapes(dynamic, pages={"/ssi/4k": (PAGES["/4k"], "brunt"), "/ssi/180k": (PAGES["/180k"], "brunt")})

sys.exit(main())
