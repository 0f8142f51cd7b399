#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Public bug reports on limits of the system and on stopping, and others of their kinds: CASES.md has the list."""

import contextlib
import re
import resource
import signal
import socket
import sys
import threading
import time

from harness import (Script, add_case, always, answer, at_end, between, case, conserved, equal, expect, free_port, good_load, load, main,
                     start_load, wait_until)

# Case 31: descriptors.


def few_descriptors(connections, options):
    server = Script(always(answer()))
    run = load(server.url, "-c", str(connections), "-n", "1000", *options, limits={resource.RLIMIT_NOFILE: (64, 64)})
    if run.code == 2:
        expect("64" in run.err and "ulimit -n" in run.err, "limit and advice are named", run)
        equal((run.out, server.connections), ("", 0), "stdout and connections", run)
    else:
        equal((run.code, run.doc["totals"]["by_failure"]), (0, {}), "exit code and failures", run)


for _connections, _options in ((63, ()), (50, ("--close",)), (200, ("--threads", "2"))):
    add_case("case 31: %d connections with 64 descriptors are refused with the number, or work %s" % (_connections, " ".join(_options)),
             few_descriptors, _connections, _options)


# Case 32: several addresses of one name.


class Places:
    """One port on several loopback addresses; each counts its requests, and can be closed alone."""

    def __init__(self, *addresses):
        self.port = free_port()
        self.seen = {}
        self.open = {}
        self.lock = threading.Lock()
        for address in addresses:
            listener = socket.socket()
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((address, self.port))
            listener.listen(200)
            self.open[address] = [listener]
            threading.Thread(target=self.accept, args=(address, listener), daemon=True).start()
        at_end(lambda: [self.close(address) for address in addresses])

    def accept(self, address, listener):
        with contextlib.suppress(OSError):
            while True:
                sock, _ = listener.accept()
                with self.lock:
                    self.open[address].append(sock)
                threading.Thread(target=self.serve, args=(address, sock), daemon=True).start()

    def serve(self, address, sock):
        rest = b""
        with contextlib.suppress(OSError):
            while True:
                data = sock.recv(65536)
                if not data:
                    return
                rest += data
                while b"\r\n\r\n" in rest:
                    rest = rest.split(b"\r\n\r\n", 1)[1]
                    with self.lock:
                        self.seen[address] = self.seen.get(address, 0) + 1
                    time.sleep(0.002)
                    sock.sendall(answer())

    def close(self, address):
        with self.lock:
            sockets, self.open[address] = self.open[address], []
        for sock in sockets:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            sock.close()

    def options(self, *addresses):
        return ["http://three.test:%d/" % self.port, "--resolve", "three.test:%d:%s" % (self.port, ",".join(addresses))]


THREE = ("127.0.0.2", "127.0.0.3", "127.0.0.4")


@case("case 32: of three addresses the first that answers is loaded, whichever are dead")
def first_alive():
    for alive, want in ((THREE, THREE[0]), (THREE[1:], THREE[1]), (THREE[2:], THREE[2])):
        for close in ([], ["--close"]):
            places = Places(*alive)
            run = good_load(*places.options(*THREE), "-c", "4", "-n", "60", *close)
            equal(places.seen, {want: 60}, "requests by address with %s alive %s" % (alive, close), run)
            equal(run.doc["first_answer"]["address"], "%s:%d" % (want, places.port), "address in the document", run)
            for address in alive:
                places.close(address)


@case("case 32: an address that dies in the middle is left for the next one, and the run goes on")
def dies_in_the_middle():
    places = Places(*THREE)
    run = start_load(*places.options(*THREE), "-c", "4", "-d", "2s", "--warmup", "0", "--close")
    wait_until(lambda: places.seen.get(THREE[0], 0) > 50, 10, "requests at the first address")
    places.close(THREE[0])
    wait_until(lambda: places.seen.get(THREE[1], 0) > 50, 10, "requests at the second address")
    done = run.finish(20)
    conserved(done)
    equal(done.code, 0, "exit code", done)
    # Those that were under way when it died, and no more.
    expect(done.doc["totals"]["failed"] <= 8, "failures", done)


# Case 33: Ctrl-C.


def interrupted(run, seconds, again=False):
    """One SIGINT, or with `again` as many as it takes until a second one was seen, which is nearly always two."""
    began = time.monotonic()
    run.signal(signal.SIGINT)
    while again and run.process.poll() is None and time.monotonic() - began < seconds:
        time.sleep(0.2)
        run.signal(signal.SIGINT)
    done = run.finish(30)
    between(time.monotonic() - began, 0, seconds, "seconds from the signal to the end", done)
    equal((done.code, done.doc["run"]["state"]), (130, "interrupted"), "exit code and state", done)
    conserved(done)
    expect("interrupted" in done.out, "the summary was printed", done)
    return done


@case("case 33: an interrupt in the ramp says what the whole run sent, and that nothing was measured")
def in_the_ramp():
    server = Script(always(answer()))
    for options in (["--ramp", "20s"], ["--warmup", "20s"], ["--ramp", "20s", "--close"]):
        before = server.requests
        run = start_load(server.url, "-c", "20", "-d", "30s", *options)
        wait_until(lambda: server.requests > before + 20, 10, "requests")
        done = interrupted(run, 10)
        found = re.search(r"whole run ([\d,]+) started ([\d,]+) ok", done.said())
        expect(found and int(found.group(1).replace(",", "")) == done.doc["totals"]["started"] > 0, "what was sent with %s" % options, done)
        expect("nothing was measured" in done.said(), "nothing was measured with %s" % options, done)


@case("case 33: an interrupt while the server hangs ends within the drain, the second at once, with -n as with -d")
def in_a_hang():
    def play(talk):
        if talk.request() is not None:
            talk.wait_gone()

    for options in (["-d", "60s"], ["-n", "30"], ["-n", "30", "--close"]):
        server = Script(play)
        run = start_load(server.url, "-c", "3", "--drain", "500ms", *options)
        wait_until(lambda: server.requests > 0, 10, "requests")
        interrupted(run, 10)
        server = Script(play)
        run = start_load(server.url, "-c", "3", "--drain", "30s", *options)
        wait_until(lambda: server.requests > 0, 10, "requests")
        interrupted(run, 10, again=True)


@case("case 33: an interrupt before anything answers ends at once")
def before_the_start():
    listener = socket.socket()
    at_end(listener.close)
    listener.bind(("127.0.0.1", free_port()))
    listener.listen(0)
    port = listener.getsockname()[1]
    for _ in range(6):
        filler = socket.socket()
        at_end(filler.close)
        filler.setblocking(False)
        filler.connect_ex(("127.0.0.1", port))
    run = start_load("http://127.0.0.1:%d/" % port, "-c", "2", "-d", "60s", "--connect-timeout", "60s")

    def tries():
        with open("/proc/net/tcp") as table:
            return sum(1 for line in table if line.split()[2:4] == ["0100007F:%04X" % port, "02"]) > 4

    with contextlib.suppress(Exception):
        wait_until(tries, 2, "an attempt to connect")
    run.signal(signal.SIGINT)
    began = time.monotonic()
    done = run.finish(30)
    between(time.monotonic() - began, 0, 10, "seconds from the signal to the end", done)
    expect(done.code in (130, -signal.SIGINT), "exit code", done)


# Case 34, as far as a closed load goes: timeouts as long as the run.


@case("case 34: a run whose timeout is as long as itself ends with its drain, and goes on sending to its end")
def timeout_as_long():
    starts = []
    lock = threading.Lock()

    def play(talk):
        while talk.request() is not None:
            with lock:
                starts.append(time.monotonic())
                hold = (0.05, 0.2, 0.4, 30)[len(starts) % 4]
            time.sleep(hold)
            if not talk.send(answer()):
                return

    server = Script(play)
    began = time.monotonic()
    run = load(server.url, "-c", "40", "-d", "2s", "--timeout", "2s", "--warmup", "0", "--drain", "500ms", timeout=30)
    between(run.wall, 2, 12, "seconds: the run and its drain, and not what the server takes", run)
    between(run.doc["run"]["duration_s"], 1.98, 2.02, "duration_s", run)
    expect(sum(1 for start in starts if start - began > 1) > 0, "it still sends in its second half", run)
    totals = run.doc["totals"]
    equal(server.requests, totals["started"] + totals["retried"], "requests that the server read", run)
    expect(totals["unfinished"] > 0 and totals["ok"] > 0, "some end, some do not", run)


sys.exit(main())
