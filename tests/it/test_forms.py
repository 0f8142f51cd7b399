#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Forms of a request and ways to a server, seen from nginx's access log."""

import os
import subprocess
import sys

from harness import (BRUNT, Nginx, Script, Skip, accepts, always, answer, between, brunt, case, clean_environment, equal,
                     expect, free_port, good_load, have_ipv6, load, main, need, scratch)


def fields(server, want):
    server.settled_lines(want)
    return [line.split("|") for line in server.log_lines()]


@case("a unix socket is loaded with --unix")
def unix():
    server = Nginx(unix=True)
    run = good_load("http://some.host/4k", "--unix", server.unix, "-c", "20", "-n", "1000")
    seen = fields(server, 1000)
    equal(len(seen), 1000, "lines in the log", run)
    equal({f[0] for f in seen}, {"unix:"}, "remote addresses", run)
    equal({f[8] for f in seen}, {"some.host"}, "Host", run)
    run = good_load("http://some.host/4k", "--unix-socket", server.unix, "-c", "20", "-n", "100", "--close")
    equal(len(fields(server, 1100)), 1100, "lines in the log with curl's name of the option", run)


@case("an IPv6 address in brackets is loaded, and Host has the brackets")
def ipv6():
    if not have_ipv6():
        raise Skip("no IPv6 here")
    server = Nginx(ipv6=True)
    run = good_load("http://[::1]:%d/" % server.port, "-c", "10", "-n", "500")
    seen = fields(server, 500)
    equal(len(seen), 500, "lines in the log", run)
    equal({f[0] for f in seen}, {"::1"}, "remote addresses", run)
    equal({f[8] for f in seen}, {"[::1]:%d" % server.port}, "Host", run)


def with_hosts(text, *arguments):
    """Runs brunt where /etc/hosts has the text: in a mount namespace of its own."""
    need("unshare")
    hosts = os.path.join(scratch(), "hosts")
    with open(hosts, "w") as file:
        file.write(text)
    wrapper = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    shell = wrapper + ["sh", "-c", 'mount --bind "$0" /etc/hosts && exec "$@"', hosts]
    probe = subprocess.run(shell + ["true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
    if probe.returncode:
        raise Skip("no mount namespace: %s" % probe.stderr.decode().strip())
    return subprocess.run(shell + [BRUNT] + list(arguments), stdin=subprocess.DEVNULL, capture_output=True, timeout=30,
                          text=True, env=clean_environment())


@case("a name whose first address is dead falls through to the next one")
def fall_through():
    if not have_ipv6():
        raise Skip("no IPv6 here")
    server = Nginx()
    expect(not accepts(("::1", server.port)), "nothing listens on ::1")
    for close in ([], ["--close"]):
        server.truncate_log()
        run = with_hosts("::1 two.test\n127.0.0.1 two.test\n", "run", "--no-store", "--progress", "none", "-c", "5", "-n",
                         "100", *close, "http://two.test:%d/" % server.port)
        equal(run.returncode, 0, "exit code", run.stdout, run.stderr)
        expect("0 failed" in run.stdout, "no failure", run.stdout)
        seen = fields(server, 100)
        equal(len(seen), 100, "lines in the log", run.stdout)
        equal({f[8] for f in seen}, {"two.test:%d" % server.port}, "Host")


@case("-4 and -6 choose the address of a name")
def families():
    if not have_ipv6():
        raise Skip("no IPv6 here")
    server = Nginx(ipv6=True)
    for option, address in (("-4", "127.0.0.1"), ("-6", "::1")):
        server.truncate_log()
        run = with_hosts("127.0.0.1 two.test\n::1 two.test\n", "run", "--no-store", "--progress", "none", "-c", "2", "-n",
                         "20", option, "http://two.test:%d/" % server.port)
        equal(run.returncode, 0, "exit code", run.stdout, run.stderr)
        equal({f[0] for f in fields(server, 20)}, {address}, "remote addresses with %s" % option)
    run = brunt("run", "--no-store", "-6", "-n", "1", server.url)
    equal(run.code, 2 if run.code == 2 else 3, "-6 with an IPv4 address cannot be loaded", run)
    expect(run.err.strip(), "and says why", run)


@case("localhost is loaded whichever address comes first")
def localhost():
    server = Nginx()
    run = good_load("localhost:%d" % server.port, "-c", "5", "-n", "100")
    equal(len(fields(server, 100)), 100, "lines in the log", run)


@case("several source addresses are used in turn")
def bind():
    server = Nginx()
    for close in ([], ["--close"]):
        server.truncate_log()
        run = good_load(server.url + "/", "--bind", "127.0.0.2,127.0.0.3", "-c", "10", "-n", "400", *close)
        uses = {}
        for f in fields(server, 400):
            uses[f[0]] = uses.get(f[0], 0) + 1
        equal(sorted(uses), ["127.0.0.2", "127.0.0.3"], "remote addresses", run)
        between(uses["127.0.0.2"], 50, 350, "requests from the first", run)
    server.truncate_log()
    good_load(server.url + "/", "--interface", "127.0.0.4", "-c", "2", "-n", "20")
    equal({f[0] for f in fields(server, 20)}, {"127.0.0.4"}, "remote addresses with --interface")


@case("HTTP/1.0 is kept alive by asking for it, and short with --close")
def old_version():
    server = Nginx()
    run = good_load(server.url + "/", "--http", "1.0", "-c", "4", "-n", "200")
    seen = fields(server, 200)
    equal({f[2] for f in seen}, {"GET / HTTP/1.0"}, "request lines", run)
    equal(len({f[4] for f in seen}), 4, "connections", run)
    equal({f[11].lower() for f in seen}, {"keep-alive"}, "Connection", run)
    server.truncate_log()
    run = good_load(server.url + "/", "--http", "1.0", "-c", "4", "-n", "100", "--close")
    equal(len({f[4] for f in fields(server, 100)}), 100, "connections with --close", run)


@case("HEAD reads no body and keeps the connection")
def head():
    server = Nginx()
    run = good_load(server.url + "/180k", "-X", "HEAD", "-c", "4", "-n", "200")
    seen = fields(server, 200)
    equal({f[2] for f in seen}, {"HEAD /180k HTTP/1.1"}, "request lines", run)
    equal(len({f[4] for f in seen}), 4, "connections", run)
    equal(run.doc["bytes"]["body_in"], 0, "bytes of bodies", run)


@case("--data posts its text, --data @FILE the file, as it is")
def post():
    server = Nginx()
    path = os.path.join(server.dir, "data.bin")
    with open(path, "wb") as file:
        file.write(bytes(range(256)) * 400)
    run = good_load(server.url + "/post", "--data", "a=1&b=2", "-c", "3", "-n", "60")
    seen = fields(server, 60)
    equal({f[2] for f in seen}, {"POST /post HTTP/1.1"}, "request lines", run)
    server.truncate_log()
    run = good_load(server.url + "/post", "--body", "@" + path, "-X", "PUT", "-c", "3", "-n", "60")
    equal({f[2] for f in fields(server, 60)}, {"PUT /post HTTP/1.1"}, "request lines", run)
    between(run.doc["bytes"]["out"], 60 * 102400, 60 * 102800, "bytes out", run)


@case("the body reaches the server byte for byte")
def body():
    bodies = []

    def play(talk):
        while True:
            head = talk.request()
            if head is None:
                return
            length = int([line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")][0].split(b":")[1])
            while len(talk.rest) < length and talk.more():
                pass
            bodies.append(talk.rest[:length])
            talk.rest = talk.rest[length:]
            talk.send(answer())

    server = Script(play)
    path = os.path.join(scratch(), "data.bin")
    with open(path, "wb") as file:
        file.write(b"\x00\r\n\xff" * 1000)
    run = good_load(server.url, "--data", "@" + path, "-c", "1", "-n", "3")
    equal(bodies, [b"\x00\r\n\xff" * 1000] * 3, "bodies", run)
    bodies.clear()
    run = good_load(server.url, "--data", '{"a": "ü"}', "-c", "1", "-n", "1")
    equal(bodies, ['{"a": "ü"}'.encode()], "bodies", run)


def headers_sent(*options, url_path=""):
    server = Script(always(answer()))
    run = good_load(server.url + url_path, "-c", "1", "-n", "1", *options)
    equal(server.requests, 1, "requests", run)
    return server, server.heads[0].split(b"\r\n")


def values(lines, name):
    return [line.split(b":", 1)[1].strip() for line in lines[1:] if line.split(b":")[0].lower() == name]


@case("the user's headers replace ours, in any letter case, and are sent once")
def replaced():
    for options, name, want in (
            (["-H", "Host: other.test"], b"host", b"other.test"),
            (["-H", "host:other.test"], b"host", b"other.test"),
            (["--host", "third.test"], b"host", b"third.test"),
            (["-H", "User-Agent: mine"], b"user-agent", b"mine"),
            (["-H", "user-agent: mine"], b"user-agent", b"mine"),
            (["-H", "accept: text/plain"], b"accept", b"text/plain"),
            (["-H", "X-One: 1", "-H", "X-Two: 2"], b"x-two", b"2"),
            (["-H", "Content-Type: text/x", "--data", "a"], b"content-type", b"text/x")):
        _, lines = headers_sent(*options)
        equal(values(lines, name), [want], "%s with %s" % (name.decode(), options), lines)
    _, lines = headers_sent()
    equal(len(values(lines, b"host")), 1, "Host by itself", lines)
    expect(values(lines, b"user-agent")[0].startswith(b"brunt"), "User-Agent names brunt", lines)


@case("-u and userinfo become Basic auth, and never part of Host")
def auth():
    server = Nginx()
    good_load(server.url + "/", "-u", "ada:secret", "-c", "2", "-n", "20")
    seen = fields(server, 20)
    equal({f[1] for f in seen}, {"ada"}, "users in the log")
    server.truncate_log()
    run = good_load("http://eve:p%%40ss@127.0.0.1:%d/" % server.port, "-c", "2", "-n", "20")
    seen = fields(server, 20)
    equal({f[1] for f in seen}, {"eve"}, "users in the log", run)
    equal({f[8] for f in seen}, {"127.0.0.1:%d" % server.port}, "Host", run)
    _, lines = headers_sent("-u", "ada:x:y")
    equal(values(lines, b"authorization"), [b"Basic YWRhOng6eQ=="], "Authorization", lines)


@case("a fragment is not sent, spaces and other letters are encoded once")
def encoded():
    _, lines = headers_sent(url_path="a b?q=ü%20#frag")
    equal(lines[0], b"GET /a%20b?q=%C3%BC%20 HTTP/1.1", "request line")
    server = Script(always(answer()))
    good_load("http://127.0.0.1:%d?x=1" % server.port, "-c", "1", "-n", "1")
    equal(server.heads[0].split(b"\r\n")[0], b"GET /?x=1 HTTP/1.1", "request line of a URL without a path")


@case("--expect-status decides what a good answer is")
def expect_status():
    server = Nginx()
    for path, wanted, code in (("/missing", "404", 0), ("/missing", "2xx,404", 0), ("/missing", "400-499", 0),
                               ("/", "404", 3), ("/none", "200", 3), ("/old", "200-299", 3)):
        run = load(server.url + path, "--expect-status", wanted, "-c", "2", "-n", "20")
        equal(run.code, code, "exit code of %s with %s" % (path, wanted), run)
        equal(run.doc["totals"]["ok" if code == 0 else "failed"], 20, "count of %s with %s" % (path, wanted), run)


@case("host:port and a host with a dot mean http")
def short_forms():
    server = Nginx()
    good_load("127.0.0.1:%d/4k" % server.port, "-c", "2", "-n", "10")
    run = brunt("127.0.0.1:%d/4k" % server.port, "--no-store", "-c", "2", "-n", "10", "-q")
    equal(run.code, 0, "exit code without the word run", run)
    equal(len(fields(server, 20)), 20, "lines in the log", run)


@case("self is loaded, and its port is free again after")
def self_target():
    run = good_load("self", "-c", "8", "-n", "200")
    equal(run.doc["totals"]["ok"], 200, "ok", run)
    between(run.doc["latency_ns"]["response"]["p50"] / 1e6, 1.0, 30, "p50 in ms of a lognormal delay of 3 ms", run)


@case("a port where nothing listens ends in exit 3")
def refused():
    port = free_port()
    run = load("http://127.0.0.1:%d/" % port, "-n", "1")
    equal(run.code, 3, "exit code", run)


sys.exit(main())
