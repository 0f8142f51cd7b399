#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How `brunt ab` ends: failures, what ab gets wrong, and lines that are refused."""

import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time

from beside import OURS, both, post_file, run, shape, theirs
from certificates import Authority
from harness import (Nginx, Script, Started, add_case, always, answer, between, case, equal, expect, free_port, main)

# Failures.


@case("the body's length is compared with the first, unless -l says not to")
def lengths():
    def play(talk):
        while talk.request() is not None:
            talk.send(answer(body=b"x" * (10 if server.requests % 4 else 9), headers=["Connection: close"]))
            return

    server = Script(play)
    ab, ours = both("-n", "40", server.url)
    equal(shape(ours.out), shape(ab.out), "lines", ab, ours)
    equal(ours.field("Failed requests"), "10", "failed", ours)
    equal(re.findall(r"\(Connect.*\)", ours.out), re.findall(r"\(Connect.*\)", ab.out), "kinds", ab, ours)
    done = run(OURS, "-n", "40", "-l", server.url)
    equal((done.field("Failed requests"), done.field("Document Length")), ("0", "Variable"), "with -l", done)


def reset_after(number):
    """Answers so many requests, then resets each connection."""

    def play(talk):
        if talk.request() is None:
            return
        if talk.script.requests > number:
            talk.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            return
        talk.send(answer(headers=["Connection: close"]))

    return play


@case("a reset connection ends the load with ab's words and code")
def reset():
    results = []
    for tool in (theirs(), OURS):
        results.append(run(tool, "-n", "20", Script(reset_after(7)).url))
    ab, ours = results
    equal(ours.code, ab.code, "exit code", ab, ours)
    equal(ours.err, ab.err, "standard error")
    expect("Total of 7 requests completed\n" in ours.out, "how far it came", ours)
    expect("Complete requests" not in ours.out, "no table", ours)


@case("with -r connections that are reset are counted, each once, and the load goes on")
def keep_going():
    done = run(OURS, "-r", "-n", "20", Script(reset_after(7)).url)
    equal(done.code, 0, "exit code", done)
    equal((done.field("Complete requests"), done.field("Failed requests")), ("20", "13"), "requests", done)
    expect("   (Connect: 0, Receive: 13, Length: 0, Exceptions: 0)\n" in done.out, "kinds", done)


@case("where nothing listens the words and the code are ab's")
def refused():
    for url in ("http://127.0.0.1:%d/" % free_port(), "127.0.0.1:%d/" % free_port()):
        ab, ours = both("-n", "5", url)
        equal((ours.code, ours.err), (ab.code, ab.err), "code and standard error", ab, ours)
        expect("Benchmarking 127.0.0.1 (be patient)..." in ours.out, "the beginning", ours)


@case("a name that cannot be resolved ends with ab's code")
def no_name():
    ab, ours = both("http://nosuch.invalid/")
    equal(ours.code, ab.code, "exit code", ab, ours)
    expect(ours.err.startswith("apr_sockaddr_info_get() for nosuch.invalid: "), "the reason", ours)


@case("an answer that does not come ends the load after -s, or is counted with -r")
def silence():
    server = Script(lambda talk: (talk.request(), talk.wait_gone()))
    ab, ours = both("-s", "1", "-n", "2", server.url)
    equal((ours.code, ours.err), (ab.code, ab.err), "code and standard error", ab, ours)
    done = run(OURS, "-s", "1", "-r", "-n", "2", "-c", "2", server.url)
    equal((done.code, done.field("Failed requests")), (0, "2"), "with -r", done)
    expect("Exceptions: 2)" in done.out, "kinds", done)


@case("-s may be longer than the ten seconds after which brunt run gives up")
def patience():
    def play(talk):
        if talk.request() is not None:
            time.sleep(11)
            talk.send(answer(headers=["Connection: close"]))

    done = run(OURS, "-s", "20", server_url(play))
    equal((done.code, done.field("Failed requests")), (0, "0"), "result", done)
    between(int(done.field("Total").split()[0]), 11000, 11500, "milliseconds", done)


def server_url(play):
    return Script(play).url


# What ab gets wrong.


def held_open(data):
    def play(talk):
        if talk.request() is not None:
            talk.send(data)
            talk.wait_gone(5)

    return play


def true_time(data, *options):
    done = run(OURS, "-n", "3", *(options + (server_url(held_open(data)),)))
    equal((done.code, done.field("Failed requests")), (0, "0"), "result", done)
    between(int(done.field("Total").split()[-1]), 0, 500, "the longest request in ms", done)


for _name, _data, _more in (
        ("200 with a length", answer(), ()),
        ("204", b"HTTP/1.1 204 None\r\n\r\n", ()),
        ("304 with a length", b"HTTP/1.1 304 Same\r\nContent-Length: 5000\r\n\r\n", ()),
        ("HEAD with a length", b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", ("-i",)),
        ("chunks", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", ())):
    add_case("an answer ends with its last byte, not with the connection, that the server holds open: " + _name,
             true_time, _data, *_more)


@case("an answer that is cut short is a failure, also with -l")
def cut_short():
    def play(talk):
        if talk.request() is not None:
            talk.send(b"HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\nhalf")

    for option in ("-l", "-k"):
        done = run(OURS, "-n", "5", option, server_url(play))
        equal(done.field("Failed requests"), "5", "failed", done)
        expect("(Connect: 0, Receive: 0, Length: 5, Exceptions: 0)" in done.out, "kinds", done)


@case("a TLS handshake that fails is a failure, which ab calls a good request")
def no_tls():
    server = Nginx(tls=Authority().server(), versions=("TLSv1.2",))
    done = run(OURS, "-n", "2", "-f", "TLS1.3", server.tls_url + "/")
    equal(done.code, 1, "exit code", done)
    expect(done.err.startswith("SSL handshake failed: "), "the reason", done)

    def play(talk):  # a first connection is let through, that of the look before the load
        if talk.number > 1:
            talk.sock.recv(1000)
            talk.send(b"HTTP/1.0 400 This is not TLS\r\n\r\n")
        else:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(certificate.both)
            with context.wrap_socket(talk.sock.dup(), server_side=True) as wrapped:
                wrapped.recv(1)

    certificate = Authority().server()
    server = Script(play)
    done = run(OURS, "-n", "5", "-c", "2", server.url.replace("http:", "https:"))
    equal((done.code, done.field("Failed requests")), (0, "5"), "result", done)
    expect("(Connect: 5, Receive: 0, Length: 0, Exceptions: 0)" in done.out, "kinds", done)


@case("a value about TLS that is no good is refused as by ab")
def tls_values():
    server = Nginx(tls=Authority().server())
    for options in (["-Z", "nonsense"], ["-E", "/nowhere/file"], ["-f", "TLS1"], ["-f", "nonsense"]):
        done = run(OURS, *options, server.tls_url + "/")
        equal(done.code, 1, "exit code of %s" % options, done)
    equal(server.count_lines(), 0, "requests")


@case("never more than -n requests are sent, also kept alive")
def exact():
    server = Nginx(keepalive_requests=7)
    for number, users in ((1000, 13), (50, 50), (3, 2)):
        server.truncate_log()
        done = run(OURS, "-n", str(number), "-c", str(users), "-k", "-q", server.url + "/")
        equal(done.field("Complete requests"), str(number), "complete", done)
        equal(server.settled_lines(number), number, "lines in the access log", done)


@case("sizes over 4 GB are counted to the byte")
def wide():
    size = 3 << 30
    server = Nginx()
    with open(os.path.join(server.dir, "www", "large"), "wb") as page:
        page.truncate(size)
    done = run(OURS, "-n", "2", server.url + "/large", timeout=120)
    equal(done.field("Document Length"), "%d bytes" % size, "Document Length", done)
    equal(done.field("HTML transferred"), "%d bytes" % (2 * size), "HTML transferred", done)


@case("-v 4 shows whole bodies, -v 2 the first 8 KB, and neither changes what is counted")
def verbose():
    server = Nginx()
    for level, shown in (("2", 8191), ("4", 184320 + 100)):
        done = run(OURS, "-n", "2", "-c", "2", "-v", level, server.url + "/180k")
        between(done.out.count("x"), 2 * (shown - 500), 2 * shown + 50, "x in -v " + level)
        equal(done.out.count("LOG: header received:\nHTTP/1.1 200 OK\r\n"), 2, "heads")
        equal(done.field("HTML transferred"), "%d bytes" % (2 * 184320), "HTML transferred")


# The command line.


LINES = (
    ("-n 0 URL", 1), ("-n x URL", 1), ("-n -5 URL", 1), ("-c 0 URL", 22), ("-c -1 URL", 22), ("-n 5 -c 6 URL", 22),
    ("-c 200001 -n 300000 URL", 22), ("", 22), ("URL URL", 22), ("http://127.0.0.1", 22), ("http:///x", 22), ("-n", 22),
    ("-i -p BODY URL", 1), ("-p BODY -i URL", 1), ("-p BODY -u BODY URL", 1), ("-u BODY -p BODY URL", 1),
    ("-p /nowhere/file URL", 1),
)


def refused_line(options, code):
    server = Script(always(answer()))
    line = options.replace("URL", server.url).replace("BODY", post_file()).split()
    ab, ours = both(*line)
    equal(ours.code, code, "exit code", ours)
    if "-c 0" not in options:  # which ab finds out from its library
        equal(ab.code, code, "ab's exit code", ab)
        said = [line.split(": ", 1)[-1] for line in ab.err.splitlines() if line.strip()][0]
        if code == 1 or "argument" not in said:
            said = said.strip().replace("Range 0", "Range 1")  # 0 is what its library then refuses
            expect(said in ours.err, "ab's words: " + said, ours)
    equal(server.requests, 0, "requests", ours)
    expect("Usage: brunt ab" in ours.err if code == 22 else "Usage" not in ours.err, "usage", ours)


for _options, _code in LINES:
    add_case("refused as ab does, before a request is sent: ab " + _options, refused_line, _options, _code)


@case("what brunt would have to send wrong is refused")
def refused_requests():
    server = Script(always(answer()))
    for options in (["-H", "no colon"], ["-H", "X: a\r\nY: b"], ["-C", "a=b\r\nc: d"], ["-H", "Content-Length: 5"],
                    ["-H", "Transfer-Encoding: chunked"], ["-m", "GE T"], ["-H", "Host: a", "-H", "host: b"],
                    ["-B", "localhost"], ["-X", "proxy:port"]):
        done = run(OURS, *options, server.url)
        equal(done.code, 1, "exit code of %s" % options, done)
    equal(server.requests, 0, "requests")


@case("an interrupt prints what there is, and ends with 130")
def interrupt():
    server = Nginx()
    started = Started(["ab", "-t", "30", "-c", "2", "-n", "100000000", "-q", server.url + "/"])
    time.sleep(1)
    started.signal(signal.SIGINT)
    done = started.finish(10)
    equal(done.code, 130, "exit code", done)
    between(int(re.search(r"Complete requests:\s+(\d+)", done.out)[1]), 1, 10000000, "requests", done)


@case("standard output that takes nothing is an error")
def full():
    server = Script(always(answer(headers=["Connection: close"])))
    with open("/dev/full", "w") as out:
        code = subprocess.run(OURS + ["-n", "2", server.url], stdout=out, stderr=subprocess.DEVNULL, timeout=20).returncode
    equal(code, 5, "exit code")


@case("the banner says who it is, and the version is brunt's")
def banner():
    done = run(OURS, "-V")
    equal(done.code, 0, "exit code", done)
    expect("brunt" in done.out.splitlines()[0] and "ApacheBench, Version 2.3" in done.out.splitlines()[0], "the banner", done)
    ab = run(theirs(), "-V")
    equal(len(done.out.splitlines()), len(ab.out.splitlines()), "lines", done)


sys.exit(main())
