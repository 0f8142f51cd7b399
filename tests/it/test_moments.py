#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The awkward moments of a connection: each case hung, or blamed the wrong one, once."""

import contextlib
import signal
import socket
import time

from harness import Script, answer, between, brunt, case, conserved, equal, expect, load, main, start_load
from server import free_port


@case("short connections with -n of which every one fails come to an end")
def all_fail():
    server = Script(lambda talk: talk.request() and talk.send(b"no http\r\n\r\n"))
    run = load(server.url, "--close", "-c", "10", "-n", "100", timeout=20)
    equal(run.code, 3, "exit code", run)
    equal(run.doc["totals"]["failed"], 100, "failed", run)


@case("a first answer that takes its time does not hold the other users for ever")
def slow_first():
    def play(talk):
        if talk.request() is not None:
            time.sleep(3 if talk.number <= 2 else 0)
            talk.send(answer(headers=["Connection: close"]))

    server = Script(play)
    began = time.monotonic()
    run = load(server.url, "--close", "-c", "10", "-n", "40", timeout=20)
    equal(run.doc["totals"]["ok"], 40, "ok", run)
    between(time.monotonic() - began, 1, 6, "seconds", run)


@case("a large answer that begins before a large request is sent whole does not stop the sending")
def early_large():
    def play(talk):
        while True:
            head = talk.request()
            if head is None:
                return
            talk.send(b"HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n" + b"x" * 1000)
            time.sleep(0.2)
            talk.drop_body(head)
            talk.send(b"x" * 399000)

    server = Script(play)
    data = "d" * 8_000_000
    path = "/tmp/brunt-it-%d.data" % free_port()
    with open(path, "w") as out:
        out.write(data)
    run = load(server.url, "-c", "1", "-n", "3", "--data", "@" + path, "--timeout", "5s", timeout=40)
    equal(run.doc["totals"]["ok"], 3, "ok", run)
    between(run.doc["bytes"]["total_out"], 3 * len(data), 3 * len(data) + 3000, "bytes sent", run)


@case("a run that is over before the control thread looks loses no window")
def very_short():
    server = Script(lambda talk: [talk.send(answer()) for _ in iter(talk.request, None)])
    for _ in range(5):
        run = load(server.url, "-c", "1", "-d", "10ms", timeout=20)
        conserved(run)
        equal(sum(run.doc["series"]["ok"]), run.doc["totals"]["ok"], "the windows sum to the totals", run)
        levels = {c["id"]: c["level"] for c in run.doc["validity"]["checks"]}
        equal(levels["V-COUNT"], "ok", "V-COUNT", run)


@case("-n that is cut short lasts as long as it did")
def cut_short():
    def play(talk):
        for _ in range(10):
            if talk.request() is None or not talk.send(answer()):
                return
        talk.request()
        talk.wait_gone()

    server = Script(play)
    run = start_load(server.url, "-c", "5", "-n", "1000", "--drain", "200ms")
    time.sleep(3)
    run.process.send_signal(signal.SIGINT)
    done = run.finish(20)
    equal(done.code, 130, "exit code", done)
    between(done.doc["run"]["duration_s"], 2, 4, "duration_s", done)
    between(done.doc["rate"]["ok_per_s"], 5, 30, "rate", done)


@case("a stall of the generator is not a time-out of the server")
def stall():
    server = Script(lambda talk: [time.sleep(0.05) or talk.send(answer()) for _ in iter(talk.request, None)])
    run = start_load(server.url, "-c", "8", "-d", "3s", "--timeout", "300ms")
    time.sleep(1.5)
    run.process.send_signal(signal.SIGSTOP)
    time.sleep(0.8)
    run.process.send_signal(signal.SIGCONT)
    done = run.finish(20)
    equal(done.doc["totals"]["by_failure"], {}, "failures", done)


@case("an answer that came with the connection's own event is read")
def answer_at_once():
    def play(talk):
        talk.send(answer(status=503, headers=["Connection: close"]))
        with contextlib.suppress(OSError):
            talk.sock.shutdown(socket.SHUT_WR)
        talk.request()

    server = Script(play)
    run = load(server.url, "-c", "4", "-n", "20", "--timeout", "3s", "--expect-status", "503", timeout=30)
    total = run.doc["totals"]
    equal(total["ok"] + sum(total["by_failure"].get(word, 0) for word in ("reset", "stale-connection")), 20, "answers", run)
    between(run.doc["run"]["wall_s"], 0, 2.5, "seconds: nobody waited for a time-out", run)


class Full:
    """A listener whose line of waiting connections is full: a connect to it gets no answer."""

    def __init__(self, address, port):
        self.sock = socket.socket()
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.sock.bind((address, port))
        self.sock.listen(0)
        self.held = []
        for _ in range(4):
            sock = socket.socket()
            sock.setblocking(False)
            sock.connect_ex((address, port))
            self.held.append(sock)
        time.sleep(0.1)


@case("an address that never answers leaves time for the next")
def black_hole():
    server = Script(lambda talk: [talk.send(answer()) for _ in iter(talk.request, None)])
    hole = Full("127.0.0.9", server.port)
    run = load("http://two.test:%d/" % server.port, "--resolve", "two.test:%d:127.0.0.9,127.0.0.1" % server.port,
               "-n", "10", "-c", "1", "--connect-timeout", "2s", timeout=20)
    equal(run.doc["totals"]["ok"], 10, "ok", run)
    equal(run.doc["first_answer"]["address"], "127.0.0.1:%d" % server.port, "address", run)
    expect(hole.held, "the line stayed full")


@case("when no address answers, each is named with its reason")
def all_named():
    port = free_port()
    run = brunt("run", "http://two.test:%d/" % port, "--resolve", "two.test:%d:127.0.0.8,127.0.0.9" % port, "-n", "1",
                timeout=20)
    equal(run.code, 3, "exit code", run)
    for address in ("127.0.0.8", "127.0.0.9"):
        expect("%s:%d: Connection refused" % (address, port) in run.err, "%s is not named" % address, run)


@case("--bind of one family keeps to targets of that family")
def bind_family():
    server = Script(lambda talk: [talk.send(answer()) for _ in iter(talk.request, None)])
    run = load("http://localhost:%d/" % server.port, "--bind", "127.0.0.1", "-n", "10", "-c", "2", timeout=20)
    equal(run.doc["totals"]["ok"], 10, "ok", run)
    run = brunt("run", "http://127.0.0.1:%d/" % server.port, "--bind", "::1", "-n", "1", timeout=20)
    equal(run.code, 2, "exit code", run)


@case("a server that dies after the ramp measured nothing: exit 3")
def dies_early():
    def play(talk):
        while talk.request() is not None and time.monotonic() - began < 0.7:
            if not talk.send(answer()):
                return

    server = Script(play)
    began = time.monotonic()
    run = load(server.url, "-c", "2", "-d", "500ms", "--warmup", "1s", "--slo", "p95:1s", timeout=20)
    equal(run.code, 3, "exit code", run)


if __name__ == "__main__":
    main()
