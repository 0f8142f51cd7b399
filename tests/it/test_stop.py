#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How a run ends: on time, by a signal, or because the server is not there."""

import re
import signal
import socket
import sys
import time

from harness import (Nginx, Script, Serve, answer, at_end, between, case, conserved, equal, expect, free_port, load, main,
                     start_load)


def steady(talk):
    """Answers after 20 ms, until the script is told to hang; then holds what it read."""
    while True:
        head = talk.request()
        if head is None:
            return
        if getattr(talk.script, "hanging", False):
            talk.wait_gone()
            return
        time.sleep(0.02)
        if not talk.send(answer(b"x" * 100)):
            return


@case("-d 10s ends within 13 s on a healthy server and within 16 s on ones that hang")
def wall_time():
    # All at once, since each needs its ten seconds: frozen stops as a whole, hanging goes on to
    # accept and to read, silent never answers at all.
    healthy, frozen = Serve(), Serve()
    hanging = Script(steady)
    silent = Script(lambda talk: talk.request() and talk.wait_gone())
    began = time.monotonic()
    runs = {
        "healthy": start_load(healthy.url + "/delay?constant=20ms", "-c", "10", "-d", "10s"),
        "frozen": start_load(frozen.url + "/delay?constant=20ms", "-c", "10", "-d", "10s"),
        "hanging": start_load(hanging.url, "-c", "10", "-d", "10s"),
        "silent": start_load(silent.url, "-c", "10", "-d", "60s"),
    }
    time.sleep(4)
    frozen.freeze()
    hanging.hanging = True
    # The runs wait beside each other, but the clock of each must stop when it ends.
    ended = {}
    while len(ended) < len(runs) and time.monotonic() - began < 30:
        for name, run in runs.items():
            if name not in ended and run.process.poll() is not None:
                ended[name] = time.monotonic() - run.began
        time.sleep(0.01)
    frozen.thaw()
    done = {name: run.finish(40) for name, run in runs.items()}
    equal(sorted(ended), sorted(runs), "runs that ended within 30 s")
    for run in done.values():
        conserved(run)

    between(ended["healthy"], 10, 13, "seconds on the healthy server", done["healthy"])
    equal(done["healthy"].code, 0, "exit code on the healthy server", done["healthy"])
    equal(done["healthy"].doc["totals"]["unfinished"], 0, "unfinished after the drain", done["healthy"])
    between(done["healthy"].doc["run"]["duration_s"], 9.9, 10.1, "duration_s", done["healthy"])

    for name in ("frozen", "hanging"):
        between(ended[name], 10, 16, "seconds on the %s server" % name, done[name])
        totals = done[name].doc["totals"]
        equal(totals["unfinished"] + totals["failed"], 10, "what was open when it hung (%s)" % name, done[name])
        between(done[name].doc["run"]["duration_s"], 9.9, 10.1, "duration_s", done[name])
        expect("unfinished" in done[name].out, "the summary speaks of them", done[name])

    between(ended["silent"], 9.5, 12, "seconds on the silent server", done["silent"])
    equal(done["silent"].code, 3, "exit code on the silent server", done["silent"])
    equal(done["silent"].doc["run"]["state"], "aborted", "state on the silent server", done["silent"])
    equal(done["silent"].doc["totals"]["ok"], 0, "answers of the silent server", done["silent"])
    expect("no answer" in (done["silent"].out + done["silent"].err).lower(), "it says that no answer came", done["silent"])


@case("--drain waits for what is under way, and no longer than it says")
def drain():
    server = Serve()
    run = load(server.url + "/delay?constant=700ms", "-c", "5", "-d", "1s", "--warmup", "0")
    equal(run.code, 0, "exit code", run)
    equal(run.doc["totals"]["unfinished"], 0, "unfinished with the usual drain", run)
    equal(run.doc["totals"]["ok"], 10, "two answers a connection", run)
    run = load(server.url + "/delay?constant=700ms", "-c", "5", "-d", "1s", "--warmup", "0", "--drain", "0")
    equal(run.doc["totals"]["unfinished"], 5, "unfinished with no drain", run)
    between(run.wall, 1, 1.5, "seconds", run)


@case("-n and -d together end at whichever comes first")
def both_limits():
    server = Nginx()
    run = load(server.url + "/", "-c", "5", "-n", "100", "-d", "20s")
    equal(run.doc["totals"]["started"], 100, "started", run)
    between(run.wall, 0, 5, "seconds", run)
    run = load(server.url + "/", "-c", "2", "-n", "500000000", "-d", "1s")
    between(run.wall, 1, 4, "seconds", run)
    expect(run.doc["totals"]["ok"] > 100, "answers", run)


def interrupted(run, number, code, seconds):
    run.signal(number)
    sent = time.monotonic()
    result = run.finish(20)
    between(time.monotonic() - sent, 0, seconds, "seconds from the signal to the end", result)
    equal(result.code, code, "exit code", result)
    conserved(result)
    equal(result.doc["run"]["state"], "interrupted", "state", result)
    equal(result.doc["run"]["exit_code"], code, "exit_code in the document", result)
    return result


@case("one SIGINT prints what was measured and ends with 130 within the drain time")
def interrupt_once():
    server = Serve()
    run = start_load(server.url + "/delay?constant=20ms", "-c", "10", "-d", "60s", "--warmup", "0")
    time.sleep(1.5)
    result = interrupted(run, signal.SIGINT, 130, 2)
    between(result.doc["counts"]["ok"], 200, 800, "answers in 1.5 s", result)
    equal(result.doc["totals"]["unfinished"], 0, "the answers under way were awaited", result)
    between(result.doc["run"]["duration_s"], 1, 2, "duration_s is what it was", result)
    expect(re.search(r"p50 ", result.out), "the summary was printed", result)


@case("SIGTERM does the same with 143")
def terminate():
    server = Serve()
    run = start_load(server.url + "/delay?constant=20ms", "-c", "10", "-d", "60s")
    time.sleep(1)
    interrupted(run, signal.SIGTERM, 143, 2)


@case("a SIGINT while the server hangs ends within the drain time, a second one at once")
def interrupt_hang():
    hold = Script(lambda talk: talk.request() and talk.send(answer()) and talk.request() and talk.wait_gone())
    run = start_load(hold.url, "-c", "4", "-d", "60s", "--drain", "1s")
    time.sleep(1)
    result = interrupted(run, signal.SIGINT, 130, 2)
    equal(result.doc["totals"]["unfinished"], 4, "unfinished", result)

    run = start_load(hold.url, "-c", "4", "-d", "60s", "--drain", "30s")
    time.sleep(1)
    run.signal(signal.SIGINT)
    time.sleep(0.5)
    expect(run.process.poll() is None, "the first waits for what is under way")
    result = interrupted(run, signal.SIGINT, 130, 1)
    equal(result.doc["totals"]["unfinished"], 4, "unfinished", result)
    expect("unfinished" in result.out, "the summary was printed", result)


@case("a SIGINT during the ramp is obeyed")
def interrupt_ramp():
    server = Serve()
    run = start_load(server.url + "/", "-c", "50", "-d", "60s", "--ramp", "30s")
    time.sleep(0.7)
    run.signal(signal.SIGINT)
    sent = time.monotonic()
    result = run.finish(20)
    between(time.monotonic() - sent, 0, 2, "seconds from the signal to the end", result)
    equal(result.code, 130, "exit code", result)


@case("a port where nothing listens ends in exit 3 at once, naming address and cause")
def refused():
    port = free_port()
    run = load("http://127.0.0.1:%d/" % port, "-c", "5", "-d", "30s")
    equal(run.code, 3, "exit code", run)
    between(run.wall, 0, 2, "seconds", run)
    expect("127.0.0.1:%d" % port in run.err, "the address is named", run)
    expect("refused" in run.err.lower(), "the cause is named", run)


@case("a unix socket that is not there ends in exit 3, naming it")
def no_socket():
    run = load("http://a.test/", "--unix", "/nonexistent/socket", "-n", "5")
    equal(run.code, 3, "exit code", run)
    expect("/nonexistent/socket" in run.err, "the path is named", run)


@case("a name that does not exist ends in exit 3, naming it")
def no_name():
    run = load("http://no-such-name.invalid/", "-n", "5", "--connect-timeout", "5s", timeout=30)
    equal(run.code, 3, "exit code", run)
    expect("no-such-name.invalid" in run.err, "the name is named", run)
    between(run.wall, 0, 7, "seconds", run)


@case("an address that does not answer ends in exit 3 within the connect timeout")
def full_backlog():
    # A listener whose line of waiting connections is full drops what comes: the nearest thing on
    # loopback to a host that is not there.
    listener = socket.socket()
    at_end(listener.close)
    port = free_port()
    listener.bind(("127.0.0.1", port))
    listener.listen(0)
    fillers = []
    for _ in range(8):
        filler = socket.socket()
        filler.setblocking(False)
        filler.connect_ex(("127.0.0.1", port))
        fillers.append(filler)
        at_end(filler.close)
    time.sleep(0.2)
    run = load("http://127.0.0.1:%d/" % port, "-c", "2", "-d", "30s", "--connect-timeout", "2s")
    equal(run.code, 3, "exit code", run)
    between(run.wall, 1.5, 3.5, "seconds", run)
    expect("127.0.0.1:%d" % port in run.err, "the address is named", run)
    expect("2 s" in run.err or "timeout" in run.err.lower() or "timed out" in run.err.lower(), "the cause is named", run)


@case("a server that dies in the middle leaves failures by cause, and the run ends on time")
def dies():
    server = Nginx()
    run = start_load(server.url + "/", "-c", "20", "-d", "3s", "--warmup", "0")
    time.sleep(1.5)
    server.stop()
    result = run.finish(30)
    conserved(result)
    between(result.wall, 3, 6, "seconds", result)
    equal(result.code, 0, "exit code", result)
    totals = result.doc["totals"]
    expect(totals["ok"] > 100, "answers before it died", result)
    expect(totals["by_failure"].get("connect-refused", 0) > 0, "refused connections are counted", result)
    between(totals["failed"], 20, 20 * 200, "failures: refused users back off", result)
    between(result.doc["run"]["duration_s"], 2.97, 3.03, "duration_s", result)
    expect("connect-refused" in result.out, "the summary names the cause", result)


@case("a server that comes back is loaded again")
def comes_back():
    state = {"refuse": False}

    def play(talk):
        while True:
            head = talk.request()
            if head is None or state["refuse"]:
                return
            time.sleep(0.005)
            if not talk.send(answer()):
                return

    server = Script(play)
    run = start_load(server.url, "-c", "5", "-d", "3s", "--warmup", "0")
    time.sleep(0.8)
    state["refuse"] = True
    time.sleep(0.5)
    state["refuse"] = False
    result = run.finish(20)
    conserved(result)
    totals = result.doc["totals"]
    expect(totals["by_failure"].get("closed-early", 0) > 0, "connections closed without an answer are counted", result)
    between(totals["ok"], 200, 3000, "answers before and after", result)
    equal(server.requests, totals["started"] + totals["retried"], "requests that the server read", result)
    series = result.doc["series"]
    expect(sum(series["ok"][-3:]) > 0, "answers in the last windows", series["ok"])


sys.exit(main())
