# SPDX-License-Identifier: Apache-2.0
"""What holds with each real server for answers that are no plain pages, and for requests with a body."""

import email.utils
import hashlib
import http.client
import os

from harness import PAGES, add_case, equal, expect, good_load, scratch
from matrix import connections_seen

NUMBER, USERS = 12, 3
BODIES = (1, 70000, 1 << 20)


def ask(server, path, status, *options, number=NUMBER, url=None):
    """A load that is good when all its answers have that status. Gives run and rows of the log."""
    server.truncate_log()
    run = good_load((url or server.url) + path, "-c", str(USERS), "-n", str(number), *options)
    equal(run.doc["totals"]["by_status"], {status: number}, "by_status", run)
    rows = server.rows(number)
    equal([row["status"] for row in rows], [status] * number, "statuses in the access log", run)
    equal({row["expect"] for row in rows}, {"-"}, "Expect in the access log", run)
    return run, rows


def kept(server, run, rows):
    """All came over one connection a user."""
    equal(run.doc["totals"]["reconnects"], 0, "reconnects", run)
    expect(connections_seen(server, rows) in (None, USERS), "connections at the server: %s" % connections_seen(server, rows), run)


def either(server, path, status, *options, **more):
    """The same on kept-alive and on short connections. Gives the bytes of one body, if all were equal."""
    sizes = set()
    for close in ([], ["--close"]):
        run, rows = ask(server, path, status, *options, *close, **more)
        if not close:
            kept(server, run, rows)
        sizes.add(run.doc["bytes"]["body_in"] / len(rows))
    equal(len(sizes), 1, "bytes of a body, kept alive and short: %s" % sizes)
    return sizes.pop()


def heads(start):
    equal(either(start(), "/180k", "200", "-X", "HEAD"), 0, "bytes of a body")


def conditional(start, folder):
    server = start()
    since = email.utils.formatdate(int(os.path.getmtime(os.path.join(folder(server), "www", "4k"))), usegmt=True)
    equal(either(server, "/4k", "304", "-H", "If-Modified-Since: " + since), 0, "bytes of a body")


def ranges(start):
    server = start()
    equal(either(server, "/180k", "206", "-H", "Range: bytes=1000-1099"), 100, "bytes of a body")
    equal(either(server, "/4k", "206", "-H", "Range: bytes=-7"), 7, "bytes of a body")
    size = either(server, "/4k", "206", "-H", "Range: bytes=0-9,4000-4009")
    expect(20 < size < 1000, "bytes of a body of two parts: %g" % size)


def compressed(start, page):
    path, plain = page
    size = either(start(), path, "200", "-H", "Accept-Encoding: gzip")
    expect(0 < size < plain / 2, "bytes of a body that is compressed: %g of %d" % (size, plain))


def chunked(server, path):
    """Whether that answer says no length: asked by another client."""
    server.truncate_log()
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    client.request("GET", path)
    reply = client.getresponse()
    reply.read()
    client.close()
    server.settled_lines(1)
    return reply.chunked


def dynamic(start, pages, *options, url=None):
    server = start()
    expect(any(chunked(server, path) for path in pages), "none of the pages comes in chunks")
    for path, (size, text) in pages.items():
        equal(either(server, path, "200", "--expect-length", str(size), "--expect-body", text, *options, url=url), size, "bytes of a body")
        run, _ = ask(server, path, "200", "--expect-length", str(size), "--expect-body", text, "--http", "1.0", *options,
                     url=url)
        equal(run.doc["bytes"]["body_in"], NUMBER * size, "bytes of bodies, with HTTP/1.0", run)


def posted(start, path, *options, url=None):
    server = start()
    file = os.path.join(scratch(), "data")
    for size in BODIES:
        data = bytes(i * 7 % 251 for i in range(1009)) * (size // 1009 + 1)
        with open(file, "wb") as body:
            body.write(data[:size])
        either(server, path, "200", "--data", "@" + file, "--expect-body", hashlib.md5(data[:size]).hexdigest(), *options, number=6,
               url=url)


def add_shapes(start, digest=None, gzip=("/4k", PAGES["/4k"]), pages=None, folder=lambda server: server.dir):
    """Cases for the server that start() gives. digest: a path that answers with the MD5 of what is posted; gzip: one
    that is compressed when asked, and its bytes; pages: dynamic ones, {path: (bytes, a text in it)}; folder: where www is."""
    add_case("HEAD has no body, and the connection is kept", heads, start)
    add_case("answers 304 have no body, and the connection is kept", conditional, start, folder)
    add_case("ranges are answers 206, and the connection is kept", ranges, start)
    add_case("a compressed page is counted as it came", compressed, start, gzip)
    if pages:
        add_case("dynamic pages are read to their end: " + ", ".join(pages), dynamic, start, pages)
    if digest:
        add_case("bodies up to 1 MB arrive whole, and nobody waits for 100 Continue", posted, start, digest)
