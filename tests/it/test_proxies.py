#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Forward proxies where redirects lead on, and tunnels for plain http. What is told without them is in test_ways,
test_apache, test_haproxy and test_tls_servers."""

import select
import socket
import sys
import time

from harness import Apache, Script, Serve, always, answer, between, case, equal, expect, good_load, load, main
from recorder import Recorder


def proxy_for(*ports):
    return Apache(modules=["proxy", "proxy_http", "proxy_connect"],
                  more="ProxyRequests On\nAllowCONNECT %s\n" % " ".join(map(str, ports)))


def asked(proxy, number):
    """What was asked of the proxy while the load ran, without the first look."""
    return [row["request"] for row in proxy.rows(number)]


@case("--proxytunnel: plain http goes through a tunnel for each connection, in its own form")
def tunnel():
    server = Recorder()
    proxy = proxy_for(server.port)
    for close, tunnels in ([], 4), (["--close"], 40):
        proxy.truncate_log()
        run = good_load(server.url + "x", "-x", proxy.url, "--proxytunnel", "-c", "4", "-n", "40", *close)
        seen = server.take()
        equal({(r.method, r.target, r.all("host")[0]) for r in seen}, {("GET", "/x", "127.0.0.1:%d" % server.port)}, "requests", run)
        equal(len(seen), 40, "requests", run)
        rows = asked(proxy, tunnels)
        equal(set(rows), {"CONNECT 127.0.0.1:%d HTTP/1.1" % server.port}, "what the proxy was asked", run)
        between(len(rows), tunnels, tunnels + 1, "tunnels, and that of the first look", run)


@case("a redirect from http to https goes on through a tunnel, and each way is kept")
def on_through_tunnel():
    last = Serve(tls=True)
    first = Script(always(answer(b"", status=302, headers=["Location: " + last.url + "/bytes/10"])))
    proxy = proxy_for(last.port)
    run = good_load(first.url, "-L", "-x", proxy.url, "--cacert", last.ca_path, "-c", "3", "-n", "30")
    equal(run.doc["totals"]["by_status"], {"200": 30, "302": 30}, "answers", run)
    rows = asked(proxy, 31)
    equal(rows.count("GET %s HTTP/1.1" % first.url), 30, "requests in the absolute form", run)
    between(rows.count("CONNECT 127.0.0.1:%d HTTP/1.1" % last.port), 1, 3, "tunnels", run)


@case("a redirect between two hosts of http: one proxy, two absolute forms, and nothing secret for the second")
def two_hosts():
    last = Recorder()
    first = Script(always(answer(b"", status=302, headers=["Location: " + last.url + "x"])))
    proxy = proxy_for(1)
    run = good_load(first.url, "-L", "-u", "u:p", "-x", proxy.url, "-c", "2", "-n", "10")
    for request in last.take():
        equal(request.all("authorization"), [], "Authorization", run)
    expect(all(b"\r\nAuthorization: Basic dTpw" in head for head in first.heads), "it is told at home", run)


@case("a tunnel that the proxy refuses where a redirect leads is told with the proxy's answer")
def refused():
    last = Serve(tls=True)
    first = Script(always(answer(b"", status=302, headers=["Location: " + last.url + "/"])))
    run = load(first.url, "-L", "-x", proxy_for(1).url, "--insecure", "-c", "2", "-n", "6")
    equal(run.doc["totals"]["by_failure"], {"connect-other": 6}, "causes", run)
    equal(run.doc["totals"]["by_status"], {"302": 6}, "answers: the proxy's are none", run)
    expect("the proxy answers CONNECT with 403" in run.said(), "it says so", run)


@case("a proxy that answers CONNECT in pieces, with an interim head and a length")
def in_pieces():
    server = Script(always(answer(b"page")))
    for said in ([b"HTTP/1.1 200 OK\r\n", b"\r\n"], [b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r", b"\n"],
                 [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.0 200 Connection established\r\nX: y\r\n\r\n"]):
        proxy = Script(lambda talk, said=said: relay(talk, server.port, said))
        run = good_load(server.url, "-x", proxy.url, "--proxytunnel", "-c", "2", "-n", "10")
        equal(run.doc["totals"]["by_status"], {"200": 10}, "answers", run)


def relay(talk, port, said):
    if talk.request() is None:
        return
    for piece in said:
        time.sleep(0.01)
        if not talk.send(piece):
            return
    with socket.create_connection(("127.0.0.1", port)) as far:
        while True:
            for ready in select.select([talk.sock, far], [], [], 30)[0]:
                data = ready.recv(65536)
                if not data:
                    return
                (far if ready is talk.sock else talk.sock).sendall(data)


sys.exit(main())
