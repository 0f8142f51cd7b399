#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--location: where redirects lead, what is sent there, and how the books stand afterwards."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time

from harness import (Script, Serve, Skip, add_case, always, answer, between, case, equal, expect, free_port, good_load, load, main,
                     scratch, start_load)
from recorder import Recorder


def redirect(to, status=302, headers=(), body=b""):
    return answer(body, status=status, headers=["Location: " + to] + list(headers))


def booked(run, lines):
    """Each request that the server saw is a beginning, a redirect that was followed, or a retry."""
    totals = run.doc["totals"]
    equal(lines, totals["started"] + totals["followed"] + totals["retried"], "requests at the servers", run)
    equal(sum(totals["by_status"].values()), lines, "answers by status", run)


def target_of(head):
    return head.split(b" ")[1].decode()


class Chain(Script):
    """/N leads to /N-1, and / is a page."""

    def __init__(self, close=False):
        self.close = close
        super().__init__(self.answer_all)

    def answer_all(self, talk):
        while (head := talk.request()) is not None:
            talk.drop_body(head)
            left = int(target_of(head)[1:] or 0)
            more = ["Connection: close"] if self.close else []
            if not talk.send(redirect("/%s" % (left - 1 or ""), 302, more) if left else answer(b"page", headers=more)) or self.close:
                return


for _status in (301, 302, 303, 307, 308):
    def each_status(status):
        server = Serve(log=True)
        run = good_load(server.url + "/fault/redirect?n=3&status=%d&to=/bytes/100" % status, "-L", "-c", "4", "-n", "40")
        equal(run.doc["totals"]["by_status"], {"200": 40, str(status): 120}, "answers by status", run)
        equal(run.doc["totals"]["followed"], 120, "followed", run)
        equal(run.doc["latency_ns"]["response"]["count"], 40, "response times", run)
        expect("not followed" not in run.said(), "no note says that they are not followed", run)
        booked(run, 160)

    add_case("-n counts chains and not their links: %d" % _status, each_status, _status)


@case("without --location a redirect is the answer")
def not_followed():
    server = Chain()
    run = good_load(server.url + "3", "-c", "2", "-n", "20")
    equal((run.doc["totals"]["by_status"], run.doc["totals"]["followed"]), ({"302": 20}, 0), "answers and followed", run)
    equal(server.requests, 20, "requests", run)


@case("a chain ends at --max-redirects, with the cause redirect, and the run ends on time")
def limits():
    server = Chain()
    for limit, links, good in ((0, 0, True), (0, 1, False), (1, 1, True), (1, 2, False), (20, 20, True), (20, 21, False)):
        server.requests = 0
        run = load(server.url + str(links or ""), "-L", "--max-redirects", str(limit), "-c", "2", "-n", "10")
        sent = 10 * (min(limit, links) + 1)
        equal(server.requests, sent, "requests with %d links and limit %d" % (links, limit), run)
        equal(run.doc["totals"]["by_failure"], {} if good else {"redirect": 10}, "causes with %d and %d" % (links, limit), run)
        booked(run, sent)
        if not good:
            expect("redirect limit" in run.said(), "it says so", run)
    for path in ("/fault/redirect-self", "/fault/redirect-loop?n=3"):
        run = load(Serve().url + path, "-L", "-c", "2", "-n", "10")
        equal((run.code, run.doc["totals"]["by_failure"]), (3, {"redirect": 10}), "exit code and causes", run)
        equal(run.doc["totals"]["followed"], 200, "followed", run)
        expect(run.wall < 5, "it took %.1f s" % run.wall, run)


@case("an empty place is a failure, none at all an answer, of two the first counts")
def odd_places():
    server = Serve()
    run = load(server.url + "/fault/redirect-empty", "-L", "-c", "1", "-n", "5")
    equal(run.doc["totals"]["by_failure"], {"redirect": 5}, "causes", run)
    expect("the Location is empty" in run.said(), "it says so", run)
    run = good_load(server.url + "/fault/redirect-nowhere", "-L", "-c", "1", "-n", "5")
    equal(run.doc["totals"]["by_status"], {"302": 5}, "answers", run)
    run = good_load(server.url + "/fault/redirect-twice", "-L", "-c", "1", "-n", "5")
    equal(run.doc["totals"]["followed"], 5, "followed", run)
    run = load(Script(always(redirect("ftp://127.0.0.1/x"))).url, "-L", "-c", "1", "-n", "5")
    equal(run.doc["totals"]["by_failure"], {"redirect": 5}, "causes", run)


@case("methods and bodies at the place")
def methods():
    server = Recorder()
    for status, method, then, body in ((302, "POST", "GET", b""), (303, "PUT", "GET", b""), (307, "POST", "POST", b"a=1"),
                                       (308, "PUT", "PUT", b"a=1")):
        first = Script(lambda talk, to=redirect(server.url + "x", status): asked(talk, to))
        good_load(first.url, "-L", "-X", method, "--data", "a=1", "-c", "1", "-n", "3")
        seen = server.take()
        equal([(r.method, r.target, r.body) for r in seen], [(then, "/x", body)] * 3, "after %d of %s" % (status, method))
        equal([len(r.all("content-type")) for r in seen], [1 if body else 0] * 3, "Content-Type after %d" % status)


def asked(talk, to):
    while (head := talk.request()) is not None:
        talk.drop_body(head)
        if not talk.send(to):
            return


@case("a large body of a file is sent again to where a 307 leads")
def large_body():
    server = Recorder()
    path = os.path.join(scratch(), "large")
    with open(path, "wb") as file:
        file.write(os.urandom(3 << 20))
    first = Script(lambda talk: asked(talk, redirect(server.url + "x", 307)))
    good_load(first.url, "-L", "--data", "@" + path, "-c", "2", "-n", "6")
    equal([(r.method, r.size) for r in server.take()], [("POST", 3 << 20)] * 6, "requests at the place")


@case("what is secret is not told to another origin, and a cookie of its own goes there alone")
def secrets():
    server = Recorder()
    first = Script(always(redirect(server.url + "x", headers=["Set-Cookie: theirs=1"])))
    run = good_load(first.url, "-L", "--cookies", "-u", "u:p", "-H", "Cookie: own=1", "-H", "X-Kept: 1", "--host", "spoof", "-c", "1", "-n", "4")
    for request in server.take():
        equal(request.all("authorization"), [], "Authorization", run)
        equal(request.all("cookie"), ["theirs=1"], "Cookie", run)
        equal(request.all("host"), ["127.0.0.1:%d" % server.port], "Host", run)
        equal(request.all("x-kept"), ["1"], "X-Kept", run)
    for head in first.heads:
        expect(b"\r\nAuthorization: Basic dTpw\r\n" in head and b"own=1" in head, "it is told at home: %r" % head, run)


@case("a connection is kept for each origin")
def kept():
    other = Script(always(answer(b"there")))
    first = Script(always(redirect(other.url)))
    run = good_load(first.url, "-L", "-c", "5", "-n", "200")
    # One more to where the plan goes: the look whether anybody listens.
    equal(first.connections, 6, "connections here", run)
    between(other.connections, 1, 5, "connections there", run)
    equal((first.requests, other.requests), (200, 200), "requests", run)
    equal(run.doc["totals"]["reconnects"], 0, "reconnects", run)
    booked(run, 400)


@case("with --close every link of a chain has a connection of its own")
def short():
    server = Chain(close=True)
    run = good_load(server.url + "2", "-L", "--close", "-c", "5", "-n", "50")
    equal((server.requests, server.connections), (150, 151), "requests and connections", run)
    booked(run, 150)


@case("a server that closes after each answer is followed on")
def closing():
    server = Chain(close=True)
    run = good_load(server.url + "2", "-L", "-c", "5", "-n", "50")
    equal((server.requests, server.connections), (150, 151), "requests and connections", run)
    booked(run, 150)


@case("each link that finds its connection closed is sent again once")
def stale():
    """A user's connections, to each of two ports, end unannounced after each answer."""

    def once(data):
        def play(talk):
            if talk.request() is not None:
                talk.send(data)
                time.sleep(0.02)
                talk.request()  # it comes, and is lost
        return play

    other = Script(once(answer(b"there")))
    first = Script(once(redirect(other.url)))
    run = load(first.url, "-L", "-c", "1", "-n", "20")
    equal(run.doc["totals"]["by_failure"], {}, "causes", run)
    equal(run.doc["totals"]["ok"], 20, "ok", run)
    expect(run.doc["totals"]["retried"] >= 20, "it was sent again: %s" % run.doc["totals"]["retried"], run)


@case("many users on two threads")
def many():
    server = Serve(log=True)
    run = good_load(server.url + "/fault/redirect?n=2", "-L", "-c", "200", "-t", "2", "-n", "3000")
    equal(run.doc["totals"]["followed"], 6000, "followed", run)
    booked(run, 9000)
    equal(server.settled_lines(9001), 9001, "lines in the log, with that of the names", run)


@case("the response time is the whole chain's, and a time-out is a link's")
def time_of_all():
    last = Script(lambda talk: slowly(talk, answer(b"x")))
    first = Script(lambda talk: slowly(talk, redirect(last.url)))
    run = good_load(first.url, "-L", "-c", "1", "-n", "5", "--timeout", "250ms")
    between(run.doc["latency_ns"]["response"]["min"], 300e6, 350e6, "least response time", run)


def slowly(talk, data, seconds=0.15):
    while talk.request() is not None:
        time.sleep(seconds)
        if not talk.send(data):
            return


@case("a link that is silent is a time-out, and the links before it are in the books")
def silent_link():
    first = Script(always(redirect("/silent")))
    server = Script(lambda talk: silent(talk))
    first.play = always(redirect(server.url))
    run = load(first.url, "-L", "-c", "2", "-n", "6", "--timeout", "100ms")
    equal(run.doc["totals"]["by_failure"], {"timeout-first-byte": 6}, "causes", run)
    equal((run.doc["totals"]["by_status"], run.doc["totals"]["followed"]), ({"302": 6}, 6), "answers", run)


def silent(talk):
    if talk.request() is not None:
        talk.wait_gone()


@case("--expect-body looks at the last body alone")
def last_body():
    last = Script(always(answer(b"the end")))
    first = Script(always(redirect(last.url, body=b"word in the redirect")))
    good_load(first.url, "-L", "--expect-body", "the end", "-c", "2", "-n", "20")
    run = load(first.url, "-L", "--expect-body", "word", "-c", "2", "-n", "20")
    equal(run.doc["totals"]["by_failure"], {"check": 20}, "causes", run)
    good_load(first.url, "-L", "--expect-length", "7", "--expect-status", "200", "-c", "2", "-n", "20")


@case("to where nobody listens, and to a name that nobody knows")
def dead_ends():
    for to, cause in (("http://127.0.0.1:%d/" % free_port(), "connect-refused"), ("http://no-such-host.invalid/", "dns")):
        server = Script(always(redirect(to)))
        run = load(server.url, "-L", "-c", "2", "-n", "6", timeout=30)
        equal(run.doc["totals"]["by_failure"], {cause: 6}, "causes", run)
        equal((run.doc["totals"]["by_status"], run.doc["totals"]["followed"]), ({"302": 6}, 6), "answers", run)
        equal(server.requests, 6, "requests", run)


@case("to a name that is looked up while the load runs")
def look_up():
    last = Recorder()
    first = Script(always(redirect("http://localhost:%d/x" % last.port)))
    run = good_load(first.url, "-L", "-c", "20", "-t", "2", "-n", "200")
    seen = last.take()
    equal(len(seen), 200, "requests", run)
    equal({r.all("host")[0] for r in seen}, {"localhost:%d" % last.port}, "Host", run)


@case("from http to https: the certificate is verified, unless --insecure")
def to_tls():
    server = Serve(tls=True)
    first = Script(always(redirect(server.url + "/bytes/10")))
    for trust in (["--insecure"], ["--cacert", server.ca_path]):
        run = good_load(first.url, "-L", "-c", "3", "-n", "60", *trust)
        equal(run.doc["totals"]["by_status"], {"200": 60, "302": 60}, "answers", run)
    run = load(first.url, "-L", "-c", "3", "-n", "6")
    equal(run.doc["totals"]["by_failure"], {"tls": 6}, "causes", run)
    equal(run.doc["totals"]["followed"], 6, "followed", run)


@case("an interrupt in the middle of a chain")
def interrupt():
    last = Script(silent)
    first = Script(always(redirect(last.url)))
    running = start_load(first.url, "-L", "-c", "4", "-d", "30s")
    deadline = time.monotonic() + 10
    while last.requests < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    running.signal(signal.SIGINT)
    time.sleep(0.05)
    running.signal(signal.SIGINT)
    run = running.finish(20)
    equal(run.code, 130, "exit code", run)
    totals = run.doc["totals"]
    equal((totals["started"], totals["unfinished"], totals["followed"], totals["by_status"]), (4, 4, 4, {"302": 4}), "totals", run)


@case("a resolver that never answers does not hold the end of a run")
def resolver_hangs():
    if os.geteuid() != 0:
        raise Skip("only root can give brunt a resolver of its own")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as deaf:
        try:
            deaf.bind(("127.0.0.77", 53))
        except OSError as error:
            raise Skip("no port for a resolver: %s" % error) from None
        path = os.path.join(scratch(), "resolv.conf")
        with open(path, "w") as file:
            file.write("nameserver 127.0.0.77\n")
        server = Script(always(redirect("http://slow.test/")))
        inside = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" /etc/resolv.conf && exec "$@"', path]
        if subprocess.run(inside + ["true"], check=False, capture_output=True).returncode:
            raise Skip("no name space for a resolver of its own")
        run = load(server.url, "-L", "-c", "2", "-d", "300ms", "--warmup", "0", "--drain", "200ms", prefix=inside)
        expect(run.wall < 3, "it took %.1f s" % run.wall, run)
        equal((run.doc["totals"]["started"], run.doc["totals"]["unfinished"]), (2, 2), "totals", run)


@case("a run by time ends in the middle of chains without losing count")
def by_time():
    server = Chain()
    run = load(server.url + "5", "-L", "-c", "20", "-d", "700ms", "--drain", "0")
    totals = run.doc["totals"]
    lines = totals["started"] + totals["followed"] + totals["retried"]
    between(server.requests, lines - totals["unfinished"], lines, "requests at the server", run)
    between(sum(totals["by_status"].values()), lines - totals["unfinished"], lines, "answers", run)
    equal(run.code, 0, "exit code", run)


@case("three hosts in a file: a connection for each user and host, and one that is down is one cause")
def three_hosts():
    servers = [Script(always(answer(b"x"))) for _ in range(3)]
    path = os.path.join(scratch(), "urls.txt")
    for options in ([], ["--random", "--seed", "3"]):
        with open(path, "w") as file:
            file.write("".join("%s%d\n" % (server.url, i) for i, server in enumerate(servers)))
        for server in servers:
            server.requests = server.connections = 0
        run = good_load(path, "-c", "6", "-n", "600", *options)
        for server in servers:
            between(server.connections, 2, 7, "connections, with the look whether anybody listens, with %s" % options, run)
        equal(sum(server.requests for server in servers), 600, "requests", run)
        if not options:
            for server in servers:
                between(server.requests, 194, 206, "requests of one", run)
        equal(run.doc["totals"]["reconnects"], 0, "reconnects", run)
    with open(path, "a") as file:
        file.write("http://127.0.0.1:%d/\n" % free_port())
    run = load(path, "-c", "4", "-n", "80")
    equal(run.code, 3, "exit code with one that is down", run)
    expect("Connection refused" in run.err, "it says why", run)


class Once(Script):
    """Listens until the first connection, which is the look whether it does."""

    def accept(self):
        self.sock.settimeout(30)
        with contextlib.suppress(OSError):
            sock, _ = self.sock.accept()
            self.sock.close()
            sock.close()


@case("a host that goes down is the cause of what was for it, and the others go on")
def goes_down():
    servers = [Script(always(answer(b"x"))) for _ in range(3)]
    path = os.path.join(scratch(), "urls.txt")
    with open(path, "w") as file:
        file.write("".join(server.url + "\n" for server in servers + [Once(None)]))
    run = load(path, "-c", "4", "-n", "80")
    equal(run.code, 0, "exit code", run)
    refused = run.doc["totals"]["by_failure"]
    equal(list(refused), ["connect-refused"], "causes", run)
    between(refused["connect-refused"], 10, 24, "requests for the one that is down", run)
    equal(sum(server.requests for server in servers), 80 - refused["connect-refused"], "requests of those that are up", run)


@case("twelve hosts: a user has connections to a few, and the others take their place")
def twelve_hosts():
    servers = [Script(always(answer(b"x"))) for _ in range(12)]
    path = os.path.join(scratch(), "urls.txt")
    with open(path, "w") as file:
        file.write("".join(server.url + "\n" for server in servers))
    run = good_load(path, "-c", "1", "-n", "120")
    equal({server.requests for server in servers}, {10}, "requests of each", run)
    between(max(server.most_live for server in servers), 1, 2, "connections to one at a time", run)


sys.exit(main())
