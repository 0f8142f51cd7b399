#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ways to a server other than its name and port: --connect-to, --resolve, --proxy."""

import http.client
import sys
import urllib.parse

from harness import (Nginx, Script, Skip, always, answer, brunt, case, clean_environment, equal, expect, free_port, good_load, have_ipv6,
                     load, main, matches_log)


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


def forwarding(talk):
    """A proxy that does its work: asks the server that the request line names, and passes the answer on."""
    while True:
        head = talk.request()
        if head is None:
            return
        lines = head.decode().split("\r\n")
        method, target, _ = lines[0].split(" ")
        url = urllib.parse.urlsplit(target)
        headers = dict(line.split(": ", 1) for line in lines[1:] if not line.lower().startswith(("proxy-", "connection:")))
        server = http.client.HTTPConnection(url.hostname, url.port, timeout=10)
        server.request(method, url.path, headers=headers)
        reply = server.getresponse()
        talk.send(answer(reply.read(), status=reply.status))
        server.close()


@case("--proxy loads a server through a proxy")
def through():
    server = Nginx()
    proxy = Script(forwarding)
    for close, connections in (([], 4), (["--close"], 101)):
        server.truncate_log()
        before = proxy.connections
        run = good_load(server.url + "/4k", "-x", "http://127.0.0.1:%d" % proxy.port, "-c", "4" if not close else "1", "-n", "100", *close)
        server.settled_lines(100)
        matches_log(run, len(server.log_lines()))
        equal(run.doc["first_answer"]["address"], "127.0.0.1:%d" % proxy.port, "address", run)
        equal(run.doc["bytes"]["body_in"], 100 * 4096, "bytes of bodies", run)
        expect(proxy.connections - before <= connections + 1, "connections at the proxy: %d" % (proxy.connections - before), run)
        expect("through the proxy 127.0.0.1:%d" % proxy.port in run.said(), "the report says so", run)


@case("a proxy is asked for the whole URL, and its name and password go to it alone")
def absolute():
    proxy = Script(always(answer()))
    at = "me:p%%40ss@127.0.0.1:%d" % proxy.port
    for spelling in (["-x", "http://" + at], ["--proxy", at], ["-x" + at], ["--proxy=http://%s/" % at]):
        proxy.heads.clear()
        run = good_load("http://u:w@a.test:81/x?y", *spelling, "-c", "1", "-n", "2")
        equal(seen(proxy), {("GET http://a.test:81/x?y HTTP/1.1", "Host: a.test:81")}, "what was asked", run)
        equal({line for head in proxy.heads for line in head.split(b"\r\n") if b"uthorization" in line},
              {b"Authorization: Basic dTp3", b"Proxy-Authorization: Basic bWU6cEBzcw=="}, "Authorizations", run)
        for text in (run.out, run.err, str(run.doc)):
            expect("p%40ss" not in text and "p@ss" not in text and "u:w" not in text, "a secret is shown with %s" % spelling, run)
        expect("***@127.0.0.1:%d" % proxy.port in run.doc["plan"]["proxy"], "the document names the proxy", run)
    equal(good_load(proxy.url, "-c", "1", "-n", "1").doc["plan"]["proxy"], None, "proxy of a plain run")


@case("--once shows what goes to the proxy, without its password")
def once_through():
    proxy = Script(always(answer(b"here")))
    run = brunt("run", "--once", "--no-store", "http://a.test/x", "-x", "me:pass@127.0.0.1:%d" % proxy.port)
    equal(run.code, 0, "exit code", run)
    for text in ("GET http://a.test/x HTTP/1.1", "Proxy-Authorization: ***", "here"):
        expect(text in run.out, "it shows %r" % text, run)
    expect("bWU6cGFzcw" not in run.out, "the password is shown", run)


@case("--resolve speaks of the proxy's name, and a refused proxy is named")
def resolved_proxy():
    proxy = Script(always(answer()))
    good_load("http://a.test/", "-x", "proxy.test:%d" % proxy.port, "--resolve", "proxy.test:%d:127.0.0.1" % proxy.port, "-c", "1", "-n", "2")
    run = brunt("run", "--no-store", "http://a.test/", "-x", "proxy.test:%d" % proxy.port, "--resolve", "a.test:80:127.0.0.1")
    equal(run.code, 2, "exit code when --resolve is for the target", run)
    port = free_port()
    run = load("http://a.test/", "-x", "127.0.0.1:%d" % port, "-n", "5")
    equal(run.code, 3, "exit code", run)
    expect("the proxy: cannot connect to 127.0.0.1:%d" % port in run.err, "the line names the proxy", run)


@case("a proxy of the environment is not used")
def environment():
    server, proxy = Script(always(answer())), Script(always(answer()))
    names = {name: proxy.url for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")}
    run = good_load(server.url, "-c", "2", "-n", "10", env=clean_environment(**names))
    equal((server.requests, proxy.connections), (10, 0), "requests at the server and connections at the proxy", run)
    equal(run.err, "", "what is said about it", run)


sys.exit(main())
