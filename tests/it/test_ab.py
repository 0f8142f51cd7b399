#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`brunt ab` beside ab itself: the same requests, the same lines, the same counts."""

import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time

from beside import BODY, OURS, both, post_file, run, shape, theirs
from certificates import Authority
from harness import (Nginx, Script, add_case, always, answer, at_end, between, case, equal, expect, free_port, main, scratch)

# The request.


class Recorder:
    """Keeps the bytes of every request, whole, and closes after each answer."""

    def __init__(self):
        self.sock = socket.socket()
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.sock.bind(("127.0.0.1", free_port()))
        self.sock.listen(16)
        self.port = self.sock.getsockname()[1]
        self.requests = []
        threading.Thread(target=self.serve, daemon=True).start()
        at_end(self.sock.close)

    def serve(self):
        while True:
            try:
                connection = self.sock.accept()[0]
            except OSError:
                return
            with connection:
                connection.settimeout(5)
                self.converse(connection)

    def converse(self, connection):
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                return
            data += more
        head, body = data.split(b"\r\n\r\n", 1)
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        while length and len(body) < int(length[1]):
            body += connection.recv(65536)
        self.requests.append(head + b"\r\n\r\n" + body)
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok")


def recorded(tool, options, url="http://127.0.0.1:PORT/a%20b?c=d&e"):
    server = Recorder()
    words = [word.replace("PORT", str(server.port)).replace("BODY", post_file()) for word in list(options) + [url]]
    done = run(tool, *words)
    equal(done.code, 0, "exit code", done)
    equal(len(server.requests), 1, "requests", done)
    return server.requests[0].replace(b"%d" % server.port, b"PORT")


REQUESTS = (
    "-n 1",
    "-k",
    "-i",
    "-i -k",
    "-p BODY",
    "-p BODY -T application/json -k",
    "-u BODY -T application/json",
    "-p BODY -m PATCH",
    "-m DELETE",
    "-m PURGE -k",
    "-C a=1",
    "-A me:secret",
    "-A me:secret -P you:other -C x=y -k",
    "-P you:other -A me:secret",
    "-H X-A:b -H Accept-Encoding:gzip",
    "-H Host:other.host",
    "-H host:other.host -H ACCEPT:text/html -H user-agent:me",
    "-k -p BODY -C a=1 -A me:secret -H X-A:b",
)


def same_request(options):
    equal(recorded(OURS, options.split()), recorded(theirs(), options.split()), "the request")


for _options in REQUESTS:
    add_case("the bytes of the request are ab's: " + _options, same_request, _options)


@case("through a proxy the bytes are ab's: the whole URL in the request line")
def proxy():
    for url in ("http://some.host/x?y", "http://some.host:8080/"):
        options = ("-X", "127.0.0.1:PORT", "-P", "a:b")
        equal(recorded(OURS, options, url), recorded(theirs(), options, url), "the request for " + url)


@case("a header of the user's replaces every one of that name, where ab sends two")
def replaced():
    for option, line in (("-k", "Connection: close"), ("-Aa:b", "authorization: Bearer x"), ("-Ca=b", "COOKIE: c=d"),
                         ("-pBODY", "Content-Type: text/css"), ("-pBODY", "content-length: %d" % len(BODY))):
        request = recorded(OURS, [option, "-H", line]).split(b"\r\n\r\n")[0].lower()
        name = line.split(":")[0].lower().encode()
        equal(re.findall(rb"(?m)^%s: *(.*?)\r?$" % name, request), [line.split(": ")[1].lower().encode()], line, request)


@case("several cookies go into one header, where in ab the last one wins")
def cookies():
    request = recorded(OURS, ["-C", "a=1", "-C", "b=2"])
    equal(re.findall(rb"Cookie: (.*)\r", request), [b"a=1; b=2"], "cookies", request)


# The output, beside ab's own on the same server.


COUNTS = ("Server Software", "Server Hostname", "Server Port", "SSL/TLS Protocol", "Server Temp Key", "TLS Server Name", "Document Path", "Document Length", "Concurrency Level",
          "Complete requests", "Failed requests", "Non-2xx responses", "Keep-Alive requests", "Total transferred",
          "Total body sent", "HTML transferred")

SETS = (
    "-n 300 -c 5 URL/",
    "-n 1000 -c 8 -k URL/4k",
    "-n 100 -c 4 -i URL/4k",
    "-n 160 -c 4 -k -i -S URL/",
    "-n 100 -c 4 -p BODY -T application/json -k URL/post",
    "-n 50 -u BODY -l URL/post",
    "-n 100 -c 2 -k -l -S -d URL/",
    "-n 200 -c 3 -q -C a=b -A me:secret -H X-A:b URL/",
    "-n 160 -c 5 -k URL/missing",
    "-n 20 -c 2 URL/old",
    "-n 40 -c 4 -X HOST http://some.host/4k",
    "-n 1 URL/",
    "-n 2 -v 2 -k URL/post",
    "-n 2 -v 3 URL/missing",
    "-n 2 -v 4 URL/post",
    "-n 30 -c 3 -b 65536 -s 5 -r -B 127.0.0.1 URL/180k",
    "-n 30 -c 3 -m OPTIONS URL/post",
)


def words(options, server):
    return options.replace("URL", server.url).replace("HOST", "127.0.0.1:%d" % server.port).replace(
        "BODY", post_file()).split()


def side_by_side(options):
    server = Nginx()
    ab, ours = both(*words(options, server))
    equal((ab.code, ours.code), (0, 0), "exit codes", ab, ours)
    equal(shape(ours.out), shape(ab.out), "lines", ab, ours)
    equal([" ".join(line.split()) for line in ours.err.splitlines() if not line.startswith("brunt: warning")],
          [" ".join(line.split()) for line in ab.err.splitlines()], "lines on standard error")
    for name in COUNTS:
        equal(ours.field(name), ab.field(name), name, ab, ours)
    number = int(ours.field("Complete requests"))
    equal(server.settled_lines(2 * number), 2 * number, "lines in the access log", ours)
    requests = {line.split("|", 2)[2].split("|")[0] for line in server.log_lines()}
    equal(len(requests), 1, "request lines in the log", requests)


for _options in SETS:
    add_case("beside ab: the same lines and counts: " + _options, side_by_side, _options)


TLS_SETS = (
    "-n 20 -c 2 TLS/",
    "-n 200 -c 4 -k NAME/4k",
    "-n 20 -f TLS1.2 -I NAME/",
    "-n 20 -k -f TLS1.3 -Z TLS_AES_128_GCM_SHA256 NAME/",
    "-n 20 -f TLS1.2 -Z ECDHE-ECDSA-AES128-GCM-SHA256 -H Host:other.name TLS/",
    "-n 10 -c 2 -k -E CERTIFICATE -p BODY NAME/post",
    "-n 10 -f ALL -w TLS/",
)


def over_tls(options):
    authority = Authority()
    server = Nginx(tls=authority.server(), listen="ssl_verify_client optional_no_ca;")
    line = words(options.replace("TLS/", server.tls_url + "/").replace("NAME/", "https://localhost:%d/" % server.tls_port)
                 .replace("CERTIFICATE", authority.client().both), server)
    ab, ours = both(*line)
    equal((ab.code, ours.code), (0, 0), "exit codes", ab, ours)
    equal(shape(ours.out), shape(ab.out), "lines", ab, ours)
    for name in COUNTS:
        equal(ours.field(name), ab.field(name), name, ab, ours)
    number = int(line[1])
    equal(server.settled_lines(2 * number), 2 * number, "lines in the access log", ours)
    seen = [dict(zip(server.columns, row.split("|"))) for row in server.log_lines()]
    for column in ("tls", "resumed", "sni", "subject"):
        equal(len({row[column] for row in seen}), 1, "values of " + column, [row[column] for row in seen])
    if "-E" in line:
        expect("client" in seen[0]["subject"], "the certificate", seen[0])


for _options in TLS_SETS:
    add_case("beside ab over TLS: the same lines and counts: " + _options, over_tls, _options)


@case("beside ab: an HTML table has the same lines, with attributes as given")
def html():
    server = Nginx()
    for options in ("-n 20 -w -k URL/", "-n 20 -x border=1 -y a=b -z c=d -p BODY URL/post", "-n 20 -x border=1 URL/missing"):
        ab, ours = both(*words(options, server))
        equal(shape(ours.out.replace("<p>\n This", "<p>", 1)), shape(ab.out.replace("<p>\n This", "<p>", 1)), "lines", ab, ours)


@case("beside ab: after -t the load ends, whatever -n was before it, and a later -n ends it first")
def time_limit():
    server = Nginx()
    ab, ours = both("-n", "5", "-t", "1", "-c", "2", "-q", "-k", server.url + "/")
    equal(shape(ours.out), shape(ab.out), "lines")
    between(ours.number("Time taken for tests"), 0.9, 1.1, "seconds", ours)
    between(ours.number("Complete requests"), 6, 50000, "requests", ours)
    done = run(OURS, "-t", "20", "-n", "30", server.url + "/")
    equal(done.field("Complete requests"), "30", "requests", done)
    between(done.number("Time taken for tests"), 0, 10, "seconds", done)


@case("-t does not count what is under way at its end")
def cut():
    server = Script(lambda talk: (talk.request(), talk.wait_gone()))
    done = run(OURS, "-t", "1", "-c", "3", server.url)
    equal(done.code, 0, "exit code", done)
    equal((done.field("Complete requests"), done.field("Failed requests")), ("0", "0"), "requests", done)
    expect("Connection Times" not in done.out and "per second" not in done.out, "no numbers of nothing", done)


@case("beside ab: rates and means are of the same size, and follow from each other")
def rates():
    server = Nginx()
    figures = {"ab": [], "brunt": []}
    for _ in range(5):
        for name, tool in (("ab", theirs()), ("brunt", OURS)):
            done = run(tool, "-n", "2000", "-c", "4", "-k", "-q", server.url + "/4k")
            rate, took = done.number("Requests per second"), done.number("Time taken for tests")
            between(rate * took, 2000 * 0.98, 2000 * 1.02, "rate x time", done)
            slack = 0.0005 * rate + 1  # it is given in whole microseconds
            between(done.number("Time per request") * rate, 4000 - slack, 4000 + slack, "time per request x rate", done)
            figures[name].append(rate)
    ratio = statistics.median(figures["brunt"]) / statistics.median(figures["ab"])
    between(ratio, 0.5, 4, "rate of brunt / rate of ab", figures)


@case("times are those of a server that is slow by a known amount")
def known_times():
    def play(talk):
        while talk.request() is not None:
            time.sleep(0.05)
            talk.send(answer(headers=["Connection: keep-alive"], body=b"x" * 100))

    server = Script(play)
    done = run(OURS, "-n", "40", "-c", "2", "-k", server.url)
    for name, bound in (("Processing", 50), ("Waiting", 45), ("Total", 50)):
        least, mean, _, median, most = done.field(name).split()
        between(int(least), bound, 52, name + " min", done)
        between(int(median), bound, 60, name + " median", done)
        between(float(mean), bound, 70, name + " mean", done)
        expect(int(least) <= int(median) <= int(most), name + " in order", done)
    between(done.number("Time per request"), 50, 75, "time per request", done)
    equal(done.field("Keep-Alive requests"), "40", "kept alive", done)


@case("keep-alive requests are those whose connection stayed open")
def keep_alive():
    server = Nginx(keepalive_requests=10)
    ab, ours = both("-n", "100", "-c", "1", "-k", server.url + "/")
    equal(ours.field("Keep-Alive requests"), "90", "of ten, nine", ours)
    equal(ours.field("Keep-Alive requests"), ab.field("Keep-Alive requests"), "as ab", ab, ours)
    equal(len({line.split("|")[4] for line in server.log_lines()}), 20, "connections of both that nginx saw")


# Files.


def files(tool, server, number):
    folder = scratch()
    gnuplot, percent = os.path.join(folder, "g"), os.path.join(folder, "e")
    done = run(tool, "-n", str(number), "-c", "3", "-k", "-g", gnuplot, "-e", percent, server.url + "/")
    equal(done.code, 0, "exit code", done)
    with open(gnuplot) as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    with open(percent) as file:
        levels = [line.rstrip("\n").split(",") for line in file]
    return done, rows, levels


@case("-g and -e have the shape of ab's, and agree with the table")
def shapes():
    server = Nginx()
    for tool in (theirs(), OURS):
        done, rows, levels = files(tool, server, 500)
        equal(rows[0], ["starttime", "seconds", "ctime", "dtime", "ttime", "wait"], "first line", done)
        equal(len(rows), 501, "lines", done)
        totals = [int(row[4]) for row in rows[1:]]
        equal(totals, sorted(totals), "by total time", done)
        for row in rows[1:]:
            expect(re.fullmatch(r"[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d 20\d\d", row[0]), "a date: " + row[0], done)
            equal(time.mktime(time.strptime(row[0])), float(row[1]), "date and seconds", row)
            between(int(row[2]) + int(row[3]) - int(row[4]), -1, 1, "parts of the total", row)
        equal(levels[0], ["Percentage served", "Time in ms"], "first line", done)
        equal([level[0] for level in levels[1:]], [str(i) for i in range(101)], "percents", done)
        values = [float(level[1]) for level in levels[1:]]
        expect(values == sorted(values) and all(re.fullmatch(r"\d+\.\d{3}", level[1]) for level in levels[1:]), "ascending", values)
        equal(totals[-1], int(re.search(r"100%\s+(\d+)", done.out)[1]), "the longest request", done)
        equal(round(values[100] + 1e-9), totals[-1], "the longest request", done)
    between(float(rows[1][1]), time.time() - 60, time.time() + 1, "the time of day", rows[1])


@case("a file that cannot be written ends it before a request is sent")
def unwritable():
    server = Script(always(answer()))
    for option, word in (("-g", "gnuplot"), ("-e", "CSV")):
        done = run(OURS, "-n", "5", option, "/nowhere/file", server.url)
        equal(done.code, 1, "exit code", done)
        expect(word in done.err and "/nowhere/file" in done.err, "the reason", done)
    equal(server.requests, 0, "requests")


# What reads ab's output in the world: the forms that public scripts use.

AWK = (("Time taken for tests:", "$5"), ("Requests per second:", "$4"), ("Time per request:", "$4"),
       ("Failed requests:", "$3"), ("Complete requests:", "$3"), ("Transfer rate:", "$3"), ("Total transferred:", "$3"),
       ("Document Length:", "$3"), ("50%", "$2"), ("99%", "$2"), ("100%", "$2"), ("Total:", "$2,$3,$4,$5,$6"),
       ("Connect:", "$6"))

PATTERNS = (r"(?m)^Complete requests:\s+(\d+)$", r"(?m)^Failed requests:\s+(\d+)$", r"Requests per second:\s+([\d.]+)",
            r"Requests per second: *([0-9.]+) \[#/sec\] \(mean\)", r"Time per request:\s+([\d.]+) \[ms\] \(mean\)",
            r"Time per request:\s+([0-9.]+) \[ms\] \(mean, across all concurrent requests\)",
            r"Transfer rate:\s+([\d.]+) \[Kbytes/sec\] received", r"Time taken for tests:\s+([\d.]+) seconds",
            r"(?m)^\s+95%\s+(\d+)", r"(\d+) \(longest request\)", r"Concurrency Level:\s+(\d+)",
            r"(?i)waiting:\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)",
            r"(?ms)Connection Times \(ms\)\n.*?^Total:\s+(\d+)\s+(\d+)\s+([\d.]+)\s+(\d+)\s+(\d+)$",
            r"Server Software:\s+(\S+)", r"Document Length:\s+(\d+) bytes", r"(?m)^HTML transferred:\s+(\d+) bytes")


@case("scripts that cut ab's output with awk, expressions or at its colons read both alike")
def readers():
    server = Nginx()
    for done in both("-n", "200", "-c", "4", server.url + "/4k"):
        for name, fields in AWK:
            found = subprocess.run(["awk", "/%s/ { print %s; exit }" % (name.replace("/", "."), fields)], input=done.out,
                                   text=True, capture_output=True, check=True).stdout.split()
            expect(found and all(re.fullmatch(r"[\d.]+", part) for part in found), "awk %s of %s: %r" % (fields, name, found), done)
        for pattern in PATTERNS:
            expect(re.search(pattern, done.out), "the expression %s" % pattern, done)
        pairs = dict(line.split(":", 1) for line in done.out.splitlines() if re.match(r"^[A-Z][\w/ -]+: ", line))
        expect({"Server Software", "Server Port", "Document Length", "Failed requests", "HTML transferred"} <= set(pairs), "pairs at the colon: %s" % sorted(pairs), done)
        equal(int(pairs["HTML transferred"].split()[0]), 200 * 4096, "HTML transferred", done)


sys.exit(main())
