# SPDX-License-Identifier: Apache-2.0
"""What holds with each real server, for pages of several sizes, kept-alive and short connections, and
few and many users: `-n` is the server's access log to the last request and, where the log has them, byte."""

from harness import PAGES, add_case, between, equal, expect, good_load
from server import EMPTY

SIZES = {EMPTY: 0, **PAGES}
NUMBER = {1: 30, 50: 300, 500: 1000}


def counted(server, run, rows, number):
    """The document against the rows of the log, which are all of one good load."""
    equal(len(rows), number, "lines in the access log", run)
    equal({row["status"] for row in rows}, {"200"}, "statuses in the access log", run)
    equal({row["expect"] for row in rows}, {"-"}, "Expect in the access log", run)
    for column, counter in (("sent", "in"), ("received", "out"), ("body", "body_in")):
        if column in server.columns:
            total = sum(int(row[column]) for row in rows)
            equal(run.doc["bytes"][counter], total, "bytes %s, as %s counted them" % (counter, server.name), run)


def connections_seen(server, rows):
    """How many connections the rows came over, or None when the log does not say."""
    if "connection" in server.columns:
        return len({row["connection"] for row in rows})
    if "from_port" in server.columns:
        return len({row["from_port"] for row in rows})
    return sum(row["use"] == "0" for row in rows) if "use" in server.columns else None


def count(server, url, path, users, close, *options, number=None):
    """A load of that path below url against the server's log, which begins empty."""
    number = number or NUMBER[users]
    server.truncate_log()
    run = good_load(url + path, "-c", str(users), "-n", str(number), "--ramp", "50ms", *(["--close"] if close else []),
                    *options)
    equal(run.doc["totals"]["ok"], number, "ok", run)
    equal(run.doc["totals"]["by_status"], {"200": number}, "by_status", run)
    equal(run.doc["bytes"]["body_in"], number * SIZES[path], "bytes of bodies", run)
    equal(run.doc["totals"]["reconnects"], 0, "reconnects", run)
    rows = server.rows(number)
    counted(server, run, rows, number)
    return run, rows


def plain(start, path, users, close):
    server = start()
    run, rows = count(server, server.url, path, users, close)
    first = run.doc["first_answer"]
    equal((first["status"], first["bytes"], first["address"]), (200, SIZES[path], "127.0.0.1:%d" % server.port),
          "status, bytes and address of the first answer", run)
    seen = connections_seen(server, rows)
    expect(seen in (None, NUMBER[users] if close else min(users, NUMBER[users])), "connections at the server: %s" % seen, run)


def over_socket(start, close):
    server = start()
    count(server, "http://some.host", "/4k", 50, close, "--unix-socket", server.unix)


def words(path, users, close):
    return "%s, %d %s connection%s" % (path, users, "short" if close else "kept-alive", "s" * (users > 1))


def add_matrix(start):
    """Cases for the server that start() gives: a fresh one, or one whose log may be emptied."""
    for path in SIZES:
        for users in NUMBER:
            for close in (False, True):
                add_case("-n is the access log: " + words(path, users, close), plain, start, path, users, close)


def add_socket(start):
    for close in (False, True):
        add_case("-n is the access log over a unix socket: " + words("/4k", 50, close), over_socket, start, close)


def ended_by_server(server, limit, *options, url=None):
    """With a server that ends each connection after `limit` requests, or one more: nothing fails, reconnects are counted."""
    users, number = 4, 400
    run = good_load((url or server.url) + "/4k", "-c", str(users), "-n", str(number), *options)
    rows = server.rows(number)
    equal(run.doc["totals"]["ok"], number, "ok", run)
    counted(server, run, rows, number)
    seen = connections_seen(server, rows)
    between(run.doc["totals"]["reconnects"], number // (limit + 1) - users, number // limit, "reconnects", run)
    expect(seen in (None, run.doc["totals"]["reconnects"] + users), "connections at the server: %s" % seen, run)
