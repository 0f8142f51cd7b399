#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`brunt serve` by raw sockets: what it answers, when, and what it says about it in its log."""

import contextlib
import os
import re
import resource
import signal
import socket
import subprocess
import threading
import time

from client import Client
from harness import BRUNT, Serve, at_end, between, case, equal, expect, main, note, scratch, wait_until

PAGE = 555


def seconds(function):
    began = time.monotonic()
    function()
    return time.monotonic() - began


def finish(server):
    """Ends the server as a user does and gives its log: a list of dicts."""
    server.process.send_signal(signal.SIGTERM)
    equal(server.process.wait(10), 0, "exit after SIGTERM")
    if not os.path.exists(server.log_path):
        return []
    lines = server.log_lines()
    names = lines[0].lstrip("#").split()
    rows = [dict(zip(names, line.split(" "))) for line in lines[1:]]
    for row in rows:
        equal(len(row), len(names), "columns of a line", row)
        for name in names:
            if name not in ("method", "path"):
                row[name] = int(row[name])
    return rows


@case("one connection carries many requests")
def keep_alive():
    client = Client(Serve())
    for _ in range(20):
        status, headers, body = client.get("/")
        equal((status, headers["content-type"], len(body)), (200, "text/html", PAGE), "the page")
        expect("connection" not in headers, "no connection header in 1.1")


@case("connection: close and HTTP/1.0 are closed by the server, first")
def closes():
    server = Serve()
    for version, headers, closed in (
        ("1.1", ["Connection: close"], True),
        ("1.0", [], True),
        ("1.0", ["Connection: keep-alive"], False),
        ("1.0", ["Connection: keep-alive, close"], True),
    ):
        client = Client(server)
        status, said, body = client.get("/", version=version, headers=headers)
        equal((status, len(body)), (200, PAGE), "the page")
        equal(said["connection"], "close" if closed else "keep-alive", "connection header of %s %s" % (version, headers))
        if closed:
            expect(client.closed(), "the server closes")
        else:
            equal(client.get("/", version="1.0")[0], 200, "the next request")


@case("pipelined requests are answered in order, delayed ones too")
def pipelining():
    client = Client(Serve())
    paths = ["/bytes/%d" % n for n in range(40)] + ["/delay?constant=30ms&bytes=7", "/bytes/8", "/echo", "/bytes/9"]
    client.send("".join("GET %s HTTP/1.1\r\nHost: t\r\n\r\n" % path for path in paths).encode())
    for size in list(range(40)) + [7, 8, 0, 9]:
        status, _, body = client.answer()
        equal((status, len(body)), (200, size), "answer")


@case("pipelined requests larger than the input buffer are all answered")
def long_pipelining():
    client = Client(Serve())
    one = b"POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 3000\r\n\r\n" + b"y" * 3000
    sender = threading.Thread(target=client.send, args=(one * 300,))
    sender.start()
    for _ in range(300):
        status, _, body = client.answer()
        equal((status, body), (200, b"y" * 3000), "echo")
    sender.join()


@case("a request may come byte by byte")
def drip():
    client = Client(Serve())
    client.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in b"POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n":
        client.send(bytes([byte]))
        time.sleep(0.001)
    equal(client.answer()[2], b"abc", "echo")


@case("HEAD has the head of GET and no body")
def head():
    client = Client(Serve())
    for path in ("/", "/bytes/12345", "/status/404", "/delay?constant=1ms"):
        _, want, _ = client.get(path)
        _, got, _ = client.get(path, method="HEAD")
        equal(got, want, "head of %s" % path)
    equal(len(client.get("/")[2]), PAGE, "the answer after them")


@case("bodies are echoed, by length and in chunks, with their type")
def echo():
    client = Client(Serve())
    body = os.urandom(100000)
    _, headers, got = client.get(
        "/echo", method="POST", body=body,
        headers=["Content-Length: %d" % len(body), "Content-Type: application/x-test"])
    expect(got == body, "the same body")
    equal(headers["content-type"], "application/x-test", "the same type")
    chunks = b"".join(b"%x;e=1\r\n%s\r\n" % (len(c), c) for c in (body[i:i + 7777] for i in range(0, len(body), 7777)))
    _, _, got = client.get(
        "/echo", method="PUT", body=chunks + b"0\r\nTrailer: x\r\n\r\n", headers=["Transfer-Encoding: chunked"])
    expect(got == body, "the same body, from chunks")
    status, _, text = client.get("/echo", method="POST", body=b"z" * 1048577, headers=["Content-Length: 1048577"])
    equal(status, 413, "more than 1 MiB", text)
    status, _, got = client.get("/echo", method="POST", body=b"z" * 1048576, headers=["Content-Length: 1048576"])
    equal((status, len(got)), (200, 1048576), "1 MiB exactly, on the same connection")


@case("bodies that nobody wants are read and thrown away")
def discard():
    client = Client(Serve())
    for size in (1, 70000, 5000000):
        status, _, body = client.get("/", method="POST", body=b"q" * size, headers=["Content-Length: %d" % size])
        equal((status, len(body)), (200, PAGE), "after %d bytes" % size)


@case("a client that waits for 100 Continue gets it")
def expects():
    client = Client(Serve())
    client.ask("/echo", method="POST", headers=["Content-Length: 2", "Expect: 100-continue"])
    while b"\r\n\r\n" not in client.data:
        expect(client.more(), "an interim answer")
    equal(client.data, b"HTTP/1.1 100 Continue\r\n\r\n", "the interim answer")
    client.data = b""
    client.send(b"ok")
    equal(client.answer()[2], b"ok", "echo")


@case("/bytes/N has N bytes")
def sizes():
    client = Client(Serve())
    for size in (0, 1, 262143, 262144, 262145, 5000000):
        status, headers, body = client.get("/bytes/%d" % size)
        equal((status, len(body), headers["content-length"]), (200, size, str(size)), "/bytes/%d" % size)
    client.get("/bytes/4k")
    client.send(b"GET /bytes/1g HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")
    total = 0
    while True:
        piece = client.sock.recv(1 << 20)
        if not piece:
            break
        total += len(piece)
    between(total, (1 << 30) + 100, (1 << 30) + 300, "bytes of a gibibyte with its head")


@case("a client that does not read is waited for, and others are served meanwhile")
def slow_reader():
    server = Serve()
    slow, other = Client(server), Client(server)
    slow.ask("/bytes/16g")
    for _ in range(50):
        took = seconds(lambda: equal(len(other.get("/")[2]), PAGE, "the page"))
        expect(took < 1, "answered at once", took)
    resident = 0
    with open("/proc/%d/status" % server.process.pid) as status:
        resident = int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))
    expect(resident < 20000, "memory stays small", resident)


@case("statuses are as asked, with what belongs to them")
def statuses():
    client = Client(Serve())
    for status in (200, 404, 500, 503, 777):
        got, headers, _ = client.get("/status/%d" % status)
        equal(got, status, "status")
    for status in (204, 304):
        got, headers, body = client.get("/status/%d" % status)
        equal((got, body), (status, b""), "no body")
        expect("content-length" not in headers, "no length either")
    equal(client.get("/status/302")[1]["location"], "/", "where to")
    for path, status in (("/status/100", 400), ("/nothing", 404), ("/bytes/x", 400), ("/delay?exp=", 400)):
        got, _, body = client.get(path)
        equal(got, status, path)
        expect(body.decode().strip(), "a text that says why")


@case("what is no request gets a status that says so, and the connection ends")
def garbage():
    server = Serve()
    for text, status in (
        (b"garbage\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/3.0\r\n\r\n", 505),
        (b"GET /" + b"x" * 20000 + b" HTTP/1.1\r\n", 414),
        (b"GET / HTTP/1.1\r\nHost: t\r\n" + b"X: y\r\n" * 20000 + b"\r\n", 431),
        (b"POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + b"more" * 50000, 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
    ):
        client = Client(server)
        client.send(text)
        got, headers, _ = client.answer()
        equal((got, headers["connection"]), (status, "close"), text[:40])
        expect(client.closed(), "the server closes")
    equal(Client(server).get("/")[0], 200, "the server lives on")


@case("delays are at least what was asked, and not much more")
def delays():
    client = Client(Serve())
    for delay_ms in (1, 5, 50):
        took = []
        for _ in range(20):
            took.append(seconds(lambda: client.get("/delay?constant=%dms" % delay_ms)) * 1e3)
        expect(min(took) >= delay_ms, "never early", took)
        between(sorted(took)[4], delay_ms, delay_ms + 2, "a quick one in ms", took)
    took = []
    for _ in range(40):
        took.append(seconds(lambda: client.get("/delay?list=1ms:50,30ms:50")) * 1e3)
    expect(any(t < 20 for t in took) and any(t >= 30 for t in took), "both of the list", took)


@case("many delays run at the same time")
def many_delays():
    server = Serve()
    clients = [Client(server) for _ in range(100)]

    def all_of_them():
        for client in clients:
            client.ask("/delay?constant=200ms")
        for client in clients:
            equal(client.answer()[0], 200, "status")

    between(seconds(all_of_them), 0.2, 1.0, "seconds for a hundred delays of 0.2 s")


def burst(server, count, path):
    """Sends `count` requests on as many connections at once; seconds until each was answered."""
    clients = [Client(server) for _ in range(count)]
    began, took = time.monotonic(), []
    for client in clients:
        client.ask(path)
    for client in clients:
        equal(client.answer()[0], 200, "status")
        took.append(time.monotonic() - began)
    return took


def workers_queue(*options):
    server = Serve("--workers", "2", *options, log=True)
    took = burst(server, 8, "/delay?constant=50ms")
    between(took[-1], 0.2, 0.6, "seconds until the last of 8, two at a time", took)
    rows = [row for row in finish(server) if row["path"] != "/"]
    equal(len(rows), 8, "answers in the log")
    ends = sorted(row["arrival_ns"] + row["hold_ns"] for row in rows)
    first = min(row["arrival_ns"] for row in rows)
    for i, end in enumerate(ends):
        between((end - first) / 1e6, 50 * (i // 2 + 1) - 1, 50 * (i // 2 + 1) + 150, "ms until the end of %d" % i, rows)
    begins = [end - 50e6 for end in ends]
    for i in range(2, 8):
        expect(begins[i] >= ends[i - 2] - 1e6, "at most two in work", i, ends)


@case("--workers: so many in work, the others wait in line")
def workers():
    workers_queue()


@case("--workers: the line is one over all threads")
def workers_and_threads():
    workers_queue("--threads", "3")


@case("who leaves the line makes no worker busy")
def leaving_the_line():
    server = Serve("--workers", "1")
    first, second, third = Client(server), Client(server), Client(server)
    first.ask("/delay?constant=300ms")
    time.sleep(0.05)
    second.ask("/delay?constant=10s")
    time.sleep(0.05)
    third.ask("/")
    second.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    second.sock.close()
    between(seconds(lambda: third.answer()), 0.1, 1.5, "seconds until the third is served")


def stat_fields(pid):
    """Of /proc/PID/stat, from the state on."""
    with open("/proc/%d/stat" % pid) as stat:
        return stat.read().rsplit(")", 1)[1].split()


def cpu_used_by(pid):
    fields = stat_fields(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@case("--cpu burns it for every request")
def cpu():
    server = Serve("--cpu", "20ms")

    client = Client(server)
    before = cpu_used_by(server.process.pid)
    for _ in range(20):
        expect(seconds(lambda: client.get("/")) >= 0.019, "no answer before it is burnt")
    between(cpu_used_by(server.process.pid) - before, 0.36, 0.7, "seconds of CPU time of 20 requests")


@case("--freeze stops everything for so long in every period")
def freeze():
    server = Serve("--freeze", "100ms/400ms")
    client = Client(server)
    slow = []
    end = time.monotonic() + 2.4
    while time.monotonic() < end:
        began = time.monotonic()
        client.get("/")
        took = time.monotonic() - began
        if took > 0.06:
            slow.append((began + took, took))
    between(len(slow), 4, 8, "stops in 2.4 s", slow)
    for _, took in slow:
        between(took, 0.06, 0.3, "seconds of a stop", slow)
    gaps = [b[0] - a[0] for a, b in zip(slow, slow[1:])]
    between(sorted(gaps)[len(gaps) // 2], 0.36, 0.44, "seconds from stop to stop", gaps)


@case("the log has every answered request, with the true hold, when SIGTERM ends the server")
def log_is_complete():
    server = Serve("--threads", "2", log=True)
    asked = {}

    def ask(worker):
        client = Client(server)
        count = 0
        for i in range(200):
            path = ("/", "/bytes/%d" % i, "/delay?exp=2ms&bytes=1", "/status/404", "/nix")[i % 5]
            count += client.get(path, method="HEAD" if i % 7 == 0 else "GET")[0] > 0
        asked[worker] = count

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = finish(server)
    equal(sum(asked.values()), 1200, "answers got")
    equal(len(rows), 1200, "answers in the log")
    by_connection = {}
    for row in rows:
        by_connection.setdefault(row["connection"], []).append(row)
        if row["path"] == "/" and row["method"] == "GET":
            equal((row["status"], row["body_bytes"]), (200, PAGE), "the page", row)
        if row["method"] == "HEAD":
            equal(row["body_bytes"], 0, "no body", row)
        if row["path"] == "/nix":
            equal(row["status"], 404, "nothing there", row)
    equal(sorted(len(lines) for lines in by_connection.values()), [200] * 6, "lines of each connection")
    for lines in by_connection.values():
        arrivals = [row["arrival_ns"] for row in lines]
        expect(arrivals == sorted(arrivals), "in order on each connection")


@case("the true hold is what a client on loopback sees")
def holds_are_true():
    server = Serve(log=True)
    client = Client(server)
    seen = []
    for i in range(100):
        began = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        client.get("/delay?constant=%dms" % (1 + i % 5))
        seen.append((began, time.clock_gettime_ns(time.CLOCK_MONOTONIC)))
    rows = finish(server)
    equal(len(rows), 100, "answers in the log")
    for (began, ended), row in zip(seen, rows):
        expect(began <= row["arrival_ns"], "arrived after it was sent", began, row)
        expect(row["arrival_ns"] + row["hold_ns"] <= ended, "handed over before it was read", ended, row)
    extra = sorted(ended - began - row["hold_ns"] for (began, ended), row in zip(seen, rows))
    note("response - hold: median %.0f us" % (extra[50] / 1e3))
    between(extra[50], 0, 500e3, "ns between the client's time and the hold, median")


@case("a stopped server holds: the kernel's stamp tells the wait from the answer")
def stamps():
    server = Serve(log=True)
    client = Client(server)
    client.get("/")
    server.freeze()
    wait_until(lambda: stat_fields(server.process.pid)[0] == "T", 5, "the stop of the server")
    client.ask("/")
    time.sleep(0.3)
    server.thaw()
    client.answer()
    rows = finish(server)
    between(rows[1]["hold_ns"] / 1e9, 0.29, 0.5, "seconds of hold")


@case("the log is written within a second")
def log_is_prompt():
    server = Serve(log=True)
    Client(server).get("/")
    time.sleep(1)
    equal(server.count_lines(), 2, "lines")


def start(*options, descriptors=None):
    """A server by hand: process, and what it said first."""

    def limit():
        if descriptors is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    process = subprocess.Popen(
        [BRUNT, "serve", *options], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=limit)
    at_end(process.stderr.close)
    at_end(process.wait)
    at_end(lambda: process.poll() is None and process.kill())
    return process, process.stderr.readline()


@case("it says where it listens, and at the end what it served")
def announces():
    process, line = start("--listen", "127.0.0.1:0")
    match = re.fullmatch(r"brunt serve: listening on http://127\.0\.0\.1:(\d+)/\n", line)
    expect(match, "the line", line)
    client = Client(("127.0.0.1", int(match.group(1))))
    for _ in range(3):
        client.get("/")
    process.send_signal(signal.SIGINT)
    equal(process.wait(10), 0, "exit after SIGINT")
    expect(re.search(r"\b3 requests served", process.stderr.read()), "the summary")


@case("IPv6 and unix sockets are listened at")
def other_addresses():
    if socket.has_ipv6 and os.path.exists("/proc/net/if_inet6"):
        _, line = start("--listen", "[::1]:0")
        match = re.search(r"http://\[::1\]:(\d+)/", line)
        expect(match, "the line", line)
        equal(Client(("::1", int(match.group(1))), socket.AF_INET6).get("/")[0], 200, "status")
    path = os.path.join(scratch(), "socket")
    for _ in range(2):
        process, line = start("--listen", "unix:" + path, "--threads", "2")
        expect("unix:" + path in line, "the line", line)
        for _ in range(3):
            equal(len(Client(path, socket.AF_UNIX).get("/bytes/1000000")[2]), 1000000, "bytes")
        process.kill()
        process.wait()
    process, line = start("--listen", "unix:" + path)
    _, refused = start("--listen", "unix:" + path)
    expect("another program" in refused, "the socket is in use", refused)
    equal(Client(path, socket.AF_UNIX).get("/")[0], 200, "and still served")
    process.send_signal(signal.SIGTERM)
    process.wait(10)
    expect(not os.path.exists(path), "the socket file is removed")


@case("what cannot be is told in one line")
def refusals():
    server = Serve()
    for options, words, code in (
        (["--listen", "127.0.0.1:%d" % server.port], "another program", 3),
        (["--listen", "127.0.0.1:%d" % server.port, "--threads", "2"], "another program", 3),
        (["--listen", "192.0.2.1:8080"], "no address of this machine", 3),
        (["--listen", "8080"], "ADDR:PORT", 2),
        (["--listen", "::1:8080"], "brackets", 2),
        (["--listen", "127.0.0.1:65536"], "ADDR:PORT", 2),
        (["--listen", "127.0.0.1:0", "--log", "/nonexistent/log"], "/nonexistent/log", 3),
        (["--listen", "127.0.0.1:0", "--freeze", "2s/1s"], "shorter", 2),
        (["--listen", "127.0.0.1:0", "--freeze", "2s"], "200ms/2s", 2),
        (["--listen", "127.0.0.1:0", "--workers", "0"], "workers", 2),
        (["--listen", "127.0.0.1:0", "--threads", "257"], "threads", 2),
        (["somewhere"], "somewhere", 2),
    ):
        done = subprocess.run(
            [BRUNT, "serve", *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10)
        expect(words in done.stderr, "the line of %s" % options, done.stderr)
        equal((done.returncode, done.stderr.count("\n"), done.stdout), (code, 1, ""), "one line on stderr", done.stderr)


@case("a log that cannot be written is told at the end")
def full_disk():
    process, line = start("--listen", "127.0.0.1:0", "--log", "/dev/full")
    expect("/dev/full" in line, "refused at once", line)
    equal(process.wait(10), 3, "exit")


@case("without a free descriptor it waits, without spinning, and serves on when there is one")
def no_descriptor():
    process, line = start("--listen", "127.0.0.1:0", descriptors=20)
    port = int(re.search(r":(\d+)/", line).group(1))
    clients = [Client(("127.0.0.1", port)) for _ in range(40)]
    for client in clients:
        client.ask("/")
    equal(clients[0].answer()[0], 200, "the first")
    before = cpu_used_by(process.pid)
    time.sleep(0.5)
    between(cpu_used_by(process.pid) - before, 0, 0.1, "seconds of CPU time while half a second passes")
    for client in clients[1:]:
        clients[0].sock.close()
        equal(client.answer()[0], 200, "each of the others")
        client.sock.close()


def child_of(process):
    with open("/proc/%d/task/%d/children" % (process.pid, process.pid)) as children:
        return [int(word) for word in children.read().split()]


def is_gone(pid):
    try:
        return stat_fields(pid)[0] == "Z"
    except OSError:
        return True


@case("the target behind self lives as long as its run, whatever ends that, and no interrupt ends it sooner")
def spawned():
    run = subprocess.Popen(
        [BRUNT, "run", "self", "-d", "60s", "--no-store"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    at_end(run.wait)
    at_end(run.kill)
    wait_until(lambda: child_of(run), 5, "the target")
    child = child_of(run)[0]
    wait_until(lambda: cpu_used_by(child) > 0.02, 5, "its work")
    os.kill(child, signal.SIGINT)
    time.sleep(0.3)
    expect(not is_gone(child), "it outlives an interrupt")
    run.kill()
    wait_until(lambda: is_gone(child), 5, "the end of the target")


@case("short connections, many, leave nothing behind")
def short_connections():
    server = Serve()
    descriptors = "/proc/%d/fd" % server.process.pid

    def count():
        return len(os.listdir(descriptors))

    def short():
        client = Client(server)
        client.get("/", headers=["Connection: close"])
        expect(client.closed(), "closed")
        client.sock.close()

    short()
    before = count()
    for _ in range(500):
        short()
    half = [Client(server) for _ in range(50)]
    for client in half:
        client.send(b"GET / HT")
        client.sock.close()
    with contextlib.suppress(OSError):
        for _ in range(50):
            if count() == before:
                break
            time.sleep(0.02)
    equal(count(), before, "open descriptors")


raise SystemExit(main())
