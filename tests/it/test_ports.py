#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Source ports that run out: foretold, counted as this machine's fault, never the server's.

Runs itself again in a network namespace of its own, with 200 ports and no reuse of TIME_WAIT.
"""

import sys

from harness import Script, always, answer, between, case, equal, expect, good_load, load
from namespace import main_inside

PORTS = 200


def narrow():
    with open("/proc/sys/net/ipv4/ip_local_port_range", "w") as setting:
        setting.write("40000 %d" % (40000 + PORTS - 1))
    with open("/proc/sys/net/ipv4/tcp_tw_reuse", "w") as setting:
        setting.write("0")


def leaves_closing_to_the_client(talk):
    """Answers with a length and ignores `Connection: close`: the client is done and closes first."""
    while talk.request() is not None:
        if not talk.send(answer(b"x" * 100)):
            return


def closes_first(talk):
    if talk.request() is not None:
        talk.send(answer(b"x" * 100, headers=["Connection: close"]))


@case("the ceiling is told before the start when this side closes first")
def foretold():
    server = Script(leaves_closing_to_the_client)
    run = load(server.url, "--close", "-c", "4", "-n", "100")
    equal(run.code, 0, "exit code", run)
    equal(run.doc["totals"]["ok"], 100, "ok: 100 fit into %d ports" % PORTS, run)
    between(run.doc["environment"]["port_range"][1] - run.doc["environment"]["port_range"][0] + 1, PORTS, PORTS,
            "port_range in the document", run)
    run = load(server.url, "--close", "-c", "4", "-d", "2s", "--bind", "127.0.0.9")
    text = run.out + run.err
    expect("port" in text.lower(), "ports are spoken of", run)
    expect(str(PORTS) in text, "their number is named", run)
    expect("--bind" in text, "the way out is named", run)


@case("when they are gone the cause is no-port, the run is marked, and the server is not blamed")
def exhausted():
    server = Script(leaves_closing_to_the_client)
    run = load(server.url, "--close", "-c", "4", "-d", "2s", "--warmup", "0", "--bind", "127.0.0.10")
    totals = run.doc["totals"]
    between(totals["ok"], PORTS // 2, PORTS, "answers: one for each port", run)
    expect(totals["by_failure"].get("no-port", 0) > 0, "no-port is counted", run)
    equal(set(totals["by_failure"]), {"no-port"}, "causes", run)
    check = run.check("V-PORTS")
    equal((check["level"], check["about"]), ("fail", "generator"), "V-PORTS", check)
    equal(run.doc["validity"]["valid"], False, "valid", run)
    expect("no-port" in run.out, "the summary names the cause", run)
    equal(run.code, 0, "exit code of a plain run that is not valid", run)
    equal(server.requests, totals["ok"], "requests that the server read", run)
    between(run.doc["generator"]["busy_max"], 0, 0.9, "it does not spin", run)
    between(run.wall, 2, 8, "seconds", run)


@case("with a decision asked for it ends with 4")
def decided():
    server = Script(leaves_closing_to_the_client)
    run = load(server.url, "--close", "-c", "4", "-d", "1s", "--warmup", "0", "--bind", "127.0.0.20", "--slo", "p95<10s", "--slo",
               "errors<99.9%")
    equal(run.code, 4, "exit code", run)


@case("several source addresses give as many times the ports")
def several():
    server = Script(leaves_closing_to_the_client)
    addresses = ",".join("127.0.1.%d" % i for i in range(1, 6))
    run = load(server.url, "--close", "-c", "8", "-n", str(4 * PORTS), "--bind", addresses)
    totals = run.doc["totals"]
    equal((totals["ok"], totals["failed"]), (4 * PORTS, 0), "ok and failed with five addresses", run)


@case("when the server closes first the ports are free again at once")
def server_closes():
    server = Script(closes_first)
    run = good_load(server.url, "--close", "-c", "4", "-n", str(5 * PORTS))
    check = run.check("V-PORTS")
    expect(check is None or check["level"] != "fail", "V-PORTS", check)


@case("kept-alive connections are not spoken of, and as many as there are ports can be open")
def kept():
    server = Script(always(answer()))
    run = good_load(server.url, "-c", "150", "-n", "3000", "--bind", "127.0.0.30")
    expect("--bind" not in run.err, "no warning", run)


@case("more kept-alive connections than ports are refused before the start, with the number")
def too_many():
    server = Script(always(answer()))
    run = load(server.url, "-c", "500", "-n", "1000", "--bind", "127.0.0.31")
    if run.code == 2:
        expect("port" in run.err and "500" in run.err, "the line names ports and number", run)
        equal(server.requests, 0, "requests", run)
    else:
        expect(run.doc["totals"]["by_failure"].get("no-port", 0) > 0, "or counted as no-port", run)


sys.exit(main_inside(narrow))
