#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ways to a server other than its name and port: --connect-to, --resolve, --proxy."""

import sys

from harness import Nginx, Script, Skip, always, answer, brunt, case, equal, expect, free_port, good_load, have_ipv6, load, main


def seen(server):
    """The request line and the Host of each request that came, as a set."""
    heads = [head.split(b"\r\n") for head in server.heads]
    return {(lines[0].decode(), [line.decode() for line in lines if line.lower().startswith(b"host:")][0]) for lines in heads}


@case("--connect-to goes elsewhere and leaves the request as it is")
def connect_to():
    for entry, url in (("a.test:8080:127.0.0.1:PORT", "http://a.test:8080/x"), ("::127.0.0.1:PORT", "http://b.test/x"),
                       ("c.test::127.0.0.1:PORT", "http://c.test:81/x"), (":82:127.0.0.1:PORT", "http://d.test:82/x"),
                       (":::PORT", "http://127.0.0.1:9/x")):
        server = Script(always(answer()))
        run = good_load(url, "--connect-to", entry.replace("PORT", str(server.port)), "-c", "2", "-n", "10")
        equal(server.requests, 10, "requests with %s" % entry, run)
        equal(seen(server), {("GET /x HTTP/1.1", "Host: " + url.split("/")[2])}, "what was asked with %s" % entry, run)
        equal(run.doc["first_answer"]["address"], "127.0.0.1:%d" % server.port, "address", run)


@case("of several --connect-to the first that matches counts")
def first_counts():
    one, other = Script(always(answer())), Script(always(answer()))
    run = good_load("http://a.test/", "--connect-to", "b.test:80:127.0.0.1:9", "--connect-to", "a.test::127.0.0.1:%d" % one.port,
                    "--connect-to", "::127.0.0.1:%d" % other.port, "-c", "1", "-n", "5", "--close")
    equal((one.requests, other.requests), (5, 0), "requests", run)


@case("--resolve gives the addresses of a name that no resolver knows")
def resolve():
    server = Script(always(answer()))
    for host in ("a.test", "*", "A.TEST"):
        server.heads.clear()
        run = good_load("http://a.test:%d/x" % server.port, "--resolve", "%s:%d:127.0.0.1" % (host, server.port), "-c", "2", "-n", "10")
        equal(seen(server), {("GET /x HTTP/1.1", "Host: a.test:%d" % server.port)}, "what was asked", run)
        equal(run.doc["latency_ns"]["dns"]["count"], 0, "look-ups", run)


@case("an address of --resolve that is dead falls through to the next one")
def fall_through():
    server = Script(always(answer()))
    for close in ([], ["--close"]):
        run = good_load("http://a.test:%d/" % server.port, "--resolve", "a.test:%d:127.0.0.9,127.0.0.1" % server.port, "-c", "2", "-n", "10",
                        *close)
        equal(run.doc["first_answer"]["address"], "127.0.0.1:%d" % server.port, "address", run)
    run = load("http://a.test:%d/" % server.port, "--resolve", "a.test:%d:127.0.0.9" % server.port, "-n", "10")
    equal(run.code, 3, "exit code when none is alive", run)
    expect("127.0.0.9:%d" % server.port in run.err, "the line names the address", run)


@case("-4 and -6 choose among the addresses of --resolve")
def families():
    if not have_ipv6():
        raise Skip("no IPv6 here")
    server = Nginx(ipv6=True)
    both = "a.test:%d:127.0.0.1,[::1]" % server.port
    for option, address in (("-4", "127.0.0.1"), ("-6", "[::1]")):
        run = good_load("http://a.test:%d/" % server.port, "--resolve", both, option, "-c", "1", "-n", "5")
        equal(run.doc["first_answer"]["address"], "%s:%d" % (address, server.port), "address with %s" % option, run)
    run = brunt("run", "--no-store", "http://a.test:80/", "--resolve", "a.test:80:127.0.0.1", "-6")
    equal((run.code, run.out), (2, ""), "exit code and stdout", run)
    expect("no IPv6 address" in run.err, "it says why", run)


@case("--connect-to comes before --resolve")
def both():
    server = Script(always(answer()))
    run = good_load("http://a.test/x", "--connect-to", "a.test:80:b.test:%d" % server.port, "--resolve",
                    "b.test:%d:127.0.0.1" % server.port, "-c", "1", "-n", "5")
    equal(seen(server), {("GET /x HTTP/1.1", "Host: a.test")}, "what was asked", run)


@case("--once takes the same way")
def once():
    server = Script(always(answer(b"here")))
    run = brunt("run", "--once", "--no-store", "http://a.test/x", "--connect-to", "::127.0.0.1:%d" % server.port)
    equal(run.code, 0, "exit code", run)
    expect("Host: a.test" in run.out and "here" in run.out, "request and answer are shown", run)


@case("entries of which none is for the target are refused, and nothing is sent")
def for_nobody():
    port = free_port()
    for option, entry in (("--resolve", "b.test:%d:127.0.0.1" % port), ("--resolve", "127.0.0.1:80:127.0.0.1"),
                          ("--connect-to", "b.test::127.0.0.1:80"), ("--connect-to", ":80:127.0.0.1:80")):
        run = brunt("run", "--no-store", "http://127.0.0.1:%d/" % port, option, entry)
        equal((run.code, run.out), (2, ""), "exit code and stdout with %s" % entry, run)
        expect("none is for" in run.err, "it says why", run)
    server = Script(always(answer()))
    good_load("http://a.test:%d/" % server.port, "--resolve", "b.test:443:127.0.0.1", "--resolve", "a.test:%d:127.0.0.1" % server.port,
              "-c", "1", "-n", "5")


sys.exit(main())
