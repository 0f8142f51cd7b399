#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads nginx through a real haproxy, which stands in front of it or is named as a proxy: the totals are those of
both access logs."""

import sys

from harness import Nginx, between, case, equal, good_load, main
from haproxy import Haproxy
from matrix import add_matrix, add_socket, connections_seen, count, counted, ended_by_server
from shapes import add_shapes
from tap import once


def in_front_of(server, **more):
    """haproxy; behind is what it passes on to."""
    proxy = Haproxy("127.0.0.1:%d" % server.port, **more)
    proxy.behind = server
    return proxy


start = once(lambda: in_front_of(Nginx()))
add_matrix(start)
add_socket(start)

GZIP = """compression algo gzip
    compression type text/html"""
dynamic = once(lambda: in_front_of(Nginx(server="location /ssi/ { alias www/; ssi on; }"), back=GZIP))
add_shapes(dynamic, folder=lambda proxy: proxy.behind.dir, pages={"/ssi/180k": (184320, "brunt")})


@case("connections that the server behind haproxy ends after 10 requests are none of ours")
def keepalive_behind():
    proxy = in_front_of(Nginx(keepalive_requests=10))
    count(proxy, proxy.url, "/4k", 50, False)


@case("connections that haproxy itself ends are opened again, with no failure")
def ended():
    proxy = in_front_of(Nginx(), front="http-after-response set-header Connection close if { rand(10) 0 }")
    run = good_load(proxy.url + "/4k", "-c", "4", "-n", "400")
    rows = proxy.rows(400)
    counted(proxy, run, rows, 400)
    seen = connections_seen(proxy, rows)
    between(seen, 5, 200, "connections at haproxy", run)
    equal(run.doc["totals"]["reconnects"], seen - 4, "reconnects", run)


@case("haproxy as a forward proxy finds the server by the URL, on kept-alive and short connections")
def forward():
    servers = [Nginx(), Nginx()]
    proxy = Haproxy("0.0.0.0:0", back="http-request set-dst url_ip\n    http-request set-dst-port url_port")
    for close in ([], ["--close"]):
        for server in servers:
            for each in (proxy, server):
                each.truncate_log()
            run = good_load(server.url + "/4k", "-x", proxy.url, "-c", "5", "-n", "50", *close)
            equal(run.doc["bytes"]["body_in"], 50 * 4096, "bytes of bodies", run)
            rows = proxy.rows(50)
            counted(proxy, run, rows, 50)
            equal({row["request"] for row in rows}, {"GET %s/4k HTTP/1.1" % server.url}, "request lines at the proxy", run)
            equal(len(server.rows(50)), 50, "lines in the log of the server", run)
            equal(connections_seen(proxy, rows), 50 if close else 5, "connections at the proxy", run)


sys.exit(main())
