#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads a real apache2 with the event module: the totals are those of its access log."""

import sys

from harness import (PAGES, Apache, Nginx, add_case, between, case, equal, free_port, good_load, load, main, matches_log,
                     need_descriptors)
from matrix import connections_seen, plain
from server import EMPTY, lines_page
from shapes import add_shapes
from tap import once

DYNAMIC = """
ScriptSock cgid.sock
ScriptAlias /cgi/ cgi/
<Directory cgi>
    Require all granted
</Directory>
<Location /180k>
    Options +Includes
    SetOutputFilter INCLUDES
</Location>
<Directory www>
    ForceType text/html
</Directory>
AddOutputFilterByType DEFLATE text/html
"""

NUMBER = {1: 200, 50: 3000, 500: 3000, 2000: 4000}


def exact_number(path, connections, close):
    need_descriptors(6000)
    server = Apache()
    number = NUMBER[connections] if path != "/180k" else min(NUMBER[connections], 2500)
    run = good_load(server.url + path, "-c", str(connections), "-n", str(number), *(["--close"] if close else []))
    equal(run.doc["totals"]["ok"], number, "ok", run)
    equal(server.settled_lines(number), number, "lines in the access log", run)
    equal(run.doc["totals"]["by_status"], {"200": number}, "by_status", run)
    equal(run.doc["bytes"]["body_in"], number * PAGES[path], "bytes of bodies", run)
    sent = sum(int(line.split("|")[5]) for line in server.log_lines())
    equal(run.doc["bytes"]["in"], sent, "bytes in, as apache2 counted them", run)


for _path in PAGES:
    for _connections in NUMBER:
        for _close in (False, True):
            _words = "%s, %d %s connections" % (_path, _connections, "short" if _close else "kept-alive")
            add_case("-n is the access log to the last request: " + _words, exact_number, _path, _connections, _close)


def by_duration(path, connections, close):
    server = Apache()
    run = good_load(server.url + path, "-c", str(connections), "-d", "1s", *(["--close"] if close else []))
    matches_log(run, server.settled_lines(run.doc["totals"]["started"]), run.doc["totals"]["unfinished"])
    between(run.doc["run"]["duration_s"], 0.99, 1.01, "duration_s", run)


for _path, _connections, _close in (("/", 50, False), ("/4k", 50, True), ("/180k", 200, False)):
    _words = "%s, %d %s connections" % (_path, _connections, "short" if _close else "kept-alive")
    add_case("-d is the access log up to what was cut: " + _words, by_duration, _path, _connections, _close)


@case("connections that apache2 ends after 100 requests are opened again, with no failure")
def keepalive_requests():
    server = Apache(keepalive_requests=100)
    run = good_load(server.url + "/", "-c", "10", "-n", "3000")
    equal(server.settled_lines(3000), 3000, "lines in the access log", run)
    between(run.doc["totals"]["reconnects"], 20, 60, "reconnects", run)


@case("kept-alive requests of HTTP/1.0 reuse the connection")
def old_version():
    server = Apache()
    run = good_load(server.url + "/", "-c", "4", "-n", "400", "--http", "1.0")
    lines = server.settled_lines(400)
    equal(lines, 400, "lines in the access log", run)
    fields = [line.split("|") for line in server.log_lines()]
    equal({f[2] for f in fields}, {"GET / HTTP/1.0"}, "request lines", run)
    equal(sum(1 for f in fields if f[4] == "0"), 4, "requests that were the first of their connection", run)


for _close in (False, True):
    add_case("-n is the access log: a page of no bytes, %s connections" % ("short" if _close else "kept-alive"), plain, Apache, EMPTY,
             50, _close)

dynamic = once(lambda: Apache(modules=["cgid", "alias", "include", "filter", "deflate"], more=DYNAMIC))
add_shapes(dynamic, digest="/cgi/digest.sh", pages={"/cgi/lines.sh?3": lines_page(3), "/cgi/lines.sh?5000": lines_page(5000),
                                                    "/180k": (PAGES["/180k"], "brunt")})


@case("apache2 as a forward proxy passes all on, on kept-alive and short connections")
def forward():
    proxy, server = Apache(modules=["proxy", "proxy_http"], more="ProxyRequests On\n"), Nginx()
    for close in ([], ["--close"]):
        for path, size in PAGES.items():
            for each in (proxy, server):
                each.truncate_log()
            run = good_load(server.url + path, "-x", proxy.url, "-c", "5", "-n", "50", *close)
            equal(run.doc["bytes"]["body_in"], 50 * size, "bytes of bodies", run)
            rows = proxy.rows(50)
            equal({row["status"] for row in rows}, {"200"}, "statuses in the log of the proxy", run)
            equal([row["request"] for row in rows], ["GET %s%s HTTP/1.1" % (server.url, path)] * 50, "requests at the proxy", run)
            equal(len(server.rows(50)), 50, "lines in the log of the server", run)
            equal(connections_seen(proxy, rows), 50 if close else 5, "connections at the proxy", run)


@case("a refusing proxy is an answer, with its status")
def refusing():
    proxy, port = Apache(modules=["proxy", "proxy_http"], more="ProxyRequests On\n"), free_port()
    run = load("http://127.0.0.1:%d/" % port, "-x", proxy.url, "-c", "2", "-n", "20")
    equal(run.code, 3, "exit code", run)
    equal(run.doc["totals"]["by_status"], {"503": 20}, "by_status", run)
    equal(run.doc["totals"]["by_failure"], {"status": 20}, "by_failure", run)
    equal(len(proxy.rows(20)), 20, "lines in the access log", run)


sys.exit(main())
