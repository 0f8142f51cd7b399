#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`brunt serve`'s /fault/NAME by raw sockets: the bytes that come, and how the connection goes on."""

import base64
import gzip
import hashlib
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
import zlib

from client import Client
from fault_rows import ABRUPT, CHUNKED, FIN, HELLO, KIB, NEXT, OK, PAGE, RESET, ROWS, pattern
from harness import ROOT, Serve, between, brunt, case, equal, expect, main, need, wait_until

QUIET = 0.15

# Those whose bytes are looked at by a case of their own.
DECODED = {"gzip", "gzip-trailing", "gzip-cut", "gzip-bad", "gzip-chunked", "truncated-gzip", "deflate-raw", "deflate-zlib", "br"}


class TlsClient(Client):
    """The same over TLS; an end without close_notify raises ssl.SSLEOFError."""

    def __init__(self, server):
        super().__init__(server)
        context = ssl.create_default_context(cafile=server.ca_path)
        context.options &= ~0x80  # Debian's Python ignores an unexpected end (SSL_OP_IGNORE_UNEXPECTED_EOF)
        self.sock = context.wrap_socket(self.sock, server_hostname="localhost", suppress_ragged_eofs=False)

    def more(self):
        try:
            return super().more()
        except ssl.SSLEOFError as why:
            # Python has the same class for a reset, with nothing the library says.
            if why.reason is None:
                raise ConnectionResetError from why
            raise


def listed():
    """What `brunt serve --faults` says: name -> (parameters, help)."""
    run = brunt("serve", "--faults")
    equal((run.code, run.err), (0, ""), "exit and stderr", run)
    lines = run.out.splitlines()
    faults = {}
    for line, text in zip(lines[::2], lines[1::2]):
        match = re.fullmatch(r"/fault/([a-z0-9.-]+)(\?\S+)?", line)
        expect(match and text.startswith("    "), "a line of the list", line, text)
        faults[match.group(1)] = (match.group(2) or "", text.strip())
    return faults


def take(client, want):
    """Reads until there is what is wanted, or no more."""
    def enough():
        if isinstance(want, bytes):
            return len(client.data) >= len(want)
        return want.match(client.data)
    try:
        while not enough() and client.more():
            pass
    except ConnectionResetError:
        return
    got, said = client.data[:len(want)] if isinstance(want, bytes) else client.data, client.data[:300]
    if isinstance(want, bytes):
        equal(got, want, "the bytes")
        client.data = client.data[len(want):]
    else:
        expect(want.match(got), "the bytes are not as %r" % want.pattern[:200], said)
        client.data = client.data[want.match(got).end():]


def goes_on(client, how):
    if how == NEXT:
        equal(client.data, b"", "nothing else came")
        status, _, body = client.get("/")
        equal((status, len(body)), (200, PAGE), "the next request")
    elif how == ABRUPT and isinstance(client, TlsClient):
        equal(client.data, b"", "nothing else came")
        try:
            expect(False, "the end was announced", client.sock.recv(1))
        except ssl.SSLError as why:
            equal(why.reason, "UNEXPECTED_EOF_WHILE_READING", "the end")
    elif how in (FIN, ABRUPT):
        equal(client.data, b"", "nothing else came")
        equal(client.sock.recv(1), b"", "the end")
    elif how == RESET:
        try:
            client.more()
            expect(False, "no reset")
        except ConnectionResetError:
            pass
    else:
        client.sock.settimeout(QUIET)
        try:
            expect(client.more(), "the connection ended")
        except socket.timeout:
            pass


def log_of(server):
    """Ends the server; its lines as (path, status, body bytes)."""
    server.process.send_signal(signal.SIGTERM)
    equal(server.process.wait(10), 0, "exit after SIGTERM")
    fields = [line.split(" ") for line in server.log_lines()[1:]]
    return [(field[2], int(field[3]), int(field[4])) for field in fields]


def last_status(want):
    """The status in the last head of these bytes."""
    text = want if isinstance(want, bytes) else want.pattern.replace(b"\\", b"")
    found = re.findall(rb"(?:^|\r\n\r\n|\(|\})(?:\r\n)*HTTP/\S+ (\d+)", text, re.I)
    return int(found[-1]) if found else 0


def body_of(want, how):
    """How many bytes follow the last head, where that is plain to see."""
    if not isinstance(want, bytes) or b"HTTP/1.1 " not in want or b"\r\n\r\n" not in want:
        return None
    return len(want) - want.rindex(b"HTTP/1.1 ") - want[want.rindex(b"HTTP/1.1 "):].index(b"\r\n\r\n") - 4


def wire(server, connect):
    for target, want, how in ROWS:
        client = connect(server)
        client.ask("/fault/" + target)
        try:
            take(client, want)
            goes_on(client, how)
        except Exception as why:
            raise type(why)("%s: %s" % (target, why)) from why
        client.sock.close()
    faults = [line for line in log_of(server) if line[0] != "/"]
    lines = {}
    for path, status, body in faults:
        lines.setdefault(path, []).append((status, body))
    equal(len(faults), len(ROWS), "lines of faults")
    for target, want, how in ROWS:
        status, body = lines["/fault/" + target].pop(0)
        equal(status, last_status(want), "status of %s in the log" % target)
        if body_of(want, how) is not None and target not in ("leading-lines",):
            equal(body, body_of(want, how), "body bytes of %s in the log" % target)


@case("each fault sends the bytes of its row, and the connection goes on as it says; each has its line in the log")
def wire_plain():
    wire(Serve(log=True), Client)


@case("over TLS they do the same, and say that it ends but where they should not")
def wire_tls():
    wire(Serve(log=True, tls=True), TlsClient)


@case("the list, the manual and these rows name the same faults with the same defaults")
def names():
    faults = listed()
    rows = {row[0].partition("?")[0] for row in ROWS} | DECODED
    equal(sorted(rows), sorted(faults), "faults that are looked at")
    with open(os.path.join(ROOT, "doc", "brunt-serve.1.scd")) as page:
        written = dict(re.findall(r"^\*/fault/([a-z0-9.-]+)\*(\S*)$", page.read(), re.M))
    equal(written, {name: params for name, (params, _) in faults.items()}, "faults of the manual")


@case("who asks for a fault that is none is told which there are, and what one takes")
def unknown():
    client = Client(Serve())
    status, _, body = client.get("/fault/nix")
    equal(status, 404, "status")
    for name, (params, text) in listed().items():
        expect("/fault/%s%s\n    %s\n" % (name, params, text) in body.decode(), "%s is in the list" % name)
    for target in ("truncated?size=1", "truncated?bytes=x", "close-after?after=0", "silent?bytes=1"):
        status, _, body = client.get("/fault/" + target)
        equal(status, 400, target, body)
    equal(client.get("/fault/")[0], 404, "no name")
    equal(client.get("/fault/bodiless?status=500&bytes=0")[0], 500, "and it goes on")


@case("codings: what is good decodes to the first KiB, what is bad is bad as it says")
def codings():
    client = Client(Serve())

    def body(name):
        return client.get("/fault/" + name)

    for name, coding in (("gzip", "gzip"), ("gzip-bad", "gzip"), ("gzip-trailing", "gzip"), ("gzip-cut", "gzip"),
                         ("deflate-raw", "deflate"), ("deflate-zlib", "deflate")):
        equal(body(name)[1]["content-encoding"], coding, name)
    whole = body("gzip")[2]
    equal(gzip.decompress(whole), KIB, "gzip")
    equal(body("gzip-trailing")[2], whole + b"rubbish", "gzip-trailing")
    equal(body("gzip-cut")[2], whole[:len(whole) // 2], "gzip-cut")
    bad = body("gzip-bad")[2]
    equal((bad[:-8], bad[-4:], bad[-8:-4] == whole[-8:-4]), (whole[:-8], whole[-4:], False), "gzip-bad")
    equal(zlib.decompress(body("deflate-raw")[2], -15), KIB, "deflate-raw")
    equal(zlib.decompress(body("deflate-zlib")[2]), KIB, "deflate-zlib")
    client.ask("/fault/gzip-chunked")
    take(client, OK + b"content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n" + b"a\r\n" + whole[:10] + b"\r\n%x\r\n"
         % (len(whole) - 18) + whole[10:-8] + b"\r\n8\r\n" + whole[-8:] + b"\r\n0\r\n\r\n")
    client.ask("/fault/truncated-gzip")
    take(client, OK + b"content-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(whole) + whole[:len(whole) // 2])
    goes_on(client, FIN)


@case("brotli decodes to the first KiB")
def brotli():
    _, headers, body = Client(Serve()).get("/fault/br")
    equal(headers["content-encoding"], "br", "the coding")
    script = "process.stdout.write(zlib.brotliDecompressSync(require('fs').readFileSync(0)))"
    decoder = ["brotli", "-dc"] if shutil.which("brotli") else [need("node"), "-e", script]
    done = subprocess.run(decoder, input=body, capture_output=True, check=True, timeout=10)
    equal(done.stdout, KIB, "the body")


@case("HEAD gets the head alone, from every fault that has one, and the connection is good")
def heads():
    server = Serve()
    for target, want, how in ROWS:
        if how != NEXT or not isinstance(want, bytes) or b"\r\n\r\n" not in want or target.startswith("leading") \
                or target.startswith("two-") or target.startswith("varying"):
            continue
        client = Client(server)
        client.ask("/fault/" + target, method="HEAD")
        take(client, want[:want.index(b"\r\n\r\n") + 4])
        goes_on(client, NEXT)
        client.sock.close()


@case("a request that says close, or HTTP/1.0, is told so by faults, too, and the server closes")
def closes():
    server = Serve()
    for more, said in ((dict(headers=["Connection: close"]), b"close"), (dict(version="1.0"), b"close")):
        client = Client(server)
        client.ask("/fault/gzip-not", **more)
        take(client, OK + b"connection: " + said + b"\r\ncontent-encoding: gzip\r\n" + HELLO)
        goes_on(client, FIN)
    client = Client(server)
    client.ask("/fault/gzip-not", version="1.0", headers=["Connection: keep-alive"])
    take(client, OK + b"connection: keep-alive\r\ncontent-encoding: gzip\r\n" + HELLO)
    equal(client.get("/", version="1.0", headers=["Connection: keep-alive"])[0], 200, "the next request")


@case("a connection ends after so many answers of it, and no sooner")
def after():
    server = Serve()
    for name in ("close-after", "fin-after", "reset-after"):
        client = Client(server)
        for i in range(4):
            status, headers, _ = client.get("/fault/%s?after=5" % name)
            equal((status, headers.get("connection")), (200, None), "answer %d of %s" % (i, name))
        _, headers, body = client.get("/fault/%s?after=5" % name)
        equal((headers.get("connection"), len(body)), ("close" if name == "close-after" else None, PAGE), "the last of " + name)
        goes_on(client, RESET if name == "reset-after" else FIN)


@case("pieces come with the delay between them, byte by byte when asked for")
def pieces():
    server = Serve()
    for target, before, whole, piece in (
            ("slow-head?delay=10ms", b"", b"HTTP/1.1 200 OK\r\n" + HELLO, 1),
            ("slow-body?bytes=300&piece=50&delay=20ms", OK + b"content-length: 300\r\n\r\n", pattern(300), 50),
            ("no-length-slow?bytes=40&piece=5&delay=10ms", OK + b"\r\n", pattern(40), 5),
            ("chunk-slow?n=1&delay=5ms", CHUNKED, b"5\r\nhello\r\n0\r\n\r\n", 1)):
        client = Client(server)
        client.ask("/fault/" + target)
        take(client, before)
        sizes, data, began = [], client.data, time.monotonic()
        while len(data) < len(whole):
            more = client.sock.recv(1 << 16)
            sizes.append(len(more))
            data += more
        took = time.monotonic() - began
        equal(data, whole, "the bytes of %s" % target)
        delay = int(re.search(r"delay=(\d+)", target).group(1)) / 1e3 * (-(-len(whole) // piece) - 1)
        between(took, delay * 0.9, delay * 2 + 0.3, "seconds of %s" % target, sizes)
        equal(sorted(sizes)[len(sizes) // 2], piece, "bytes of the usual piece", sizes)


@case("the tail is late and nothing else, counted over all connections")
def tail():
    server = Serve("--threads", "2", log=True)
    slow = 0
    for _ in range(40):
        client = Client(server)
        began = time.monotonic()
        equal(client.get("/fault/delay-tail?every=10&delay=100ms")[0], 200, "status")
        took = time.monotonic() - began
        expect(took < 0.09 or took >= 0.1, "held for the delay or not at all", took)
        slow += took >= 0.1
        client.sock.close()
    equal(slow, 4, "late answers of 40")
    statuses = []
    for _ in range(9):
        statuses.append(Client(server).get("/fault/error-tail?every=3")[0])
    equal(sorted(statuses), [200] * 6 + [500] * 3, "each third is an error")


@case("more than so many at once are refused, at once")
def refuse():
    server = Serve("--threads", "2")
    clients = [Client(server) for _ in range(30)]
    began = time.monotonic()
    for client in clients:
        client.ask("/fault/refuse-after?n=20&delay=300ms&status=429")
    statuses = []
    for client in reversed(clients):
        statuses.append((client.answer()[0], time.monotonic() - began))
    equal(sorted(status for status, _ in statuses), [200] * 20 + [429] * 10, "answers")
    equal(Client(server).get("/fault/refuse-after?n=1&delay=0")[0], 200, "later there is room again")


@case("an early answer comes before the body; what it does with the body is as it says")
def early():
    server = Serve(log=True)

    def begin(name, length=1 << 20):
        client = Client(server)
        client.ask("/fault/" + name, method="POST", headers=["Content-Length: %d" % length])
        return client

    client = begin("early-answer")
    equal(client.answer()[0], 200, "the answer before the body")
    client.send(b"y" * (1 << 20))
    goes_on(client, NEXT)
    client = begin("early-answer?bytes=1m", 10)
    client.send(b"y" * 10 + b"GET / HTTP/1.1\r\nHost: t\r\n\r\n")
    equal(len(client.answer()[2]), 1 << 20, "the answer")
    equal(len(client.answer()[2]), PAGE, "the pipelined request behind the body")
    client = Client(server)
    client.ask("/fault/early-answer", method="POST", headers=["Content-Length: 5", "Expect: 100-continue"])
    equal(client.answer()[0], 200, "no invitation, but the answer")
    client = begin("early-close")
    equal(client.answer()[0], 413, "the answer before the body")
    equal(client.sock.recv(1), b"", "the end")
    client = begin("early-reset")
    client.send(b"y" * 1000)
    equal(client.answer()[0], 413, "the answer before the body")
    goes_on(client, RESET)
    for name in ("early-deaf", "deaf"):
        client = begin(name, 1 << 30)
        if name == "early-deaf":
            equal(client.answer()[0], 413, "the answer before the body")
        client.sock.settimeout(1)
        sent = 0
        try:
            while sent < 1 << 30:
                sent += client.sock.send(b"y" * (1 << 20))
        except socket.timeout:
            pass
        between(sent, 1 << 16, 64 << 20, "bytes that went out before nobody read on")
    equal(len([line for line in log_of(server) if line[0].startswith("/fault/")]), 7, "lines in the log")


@case("who knows the name and the password gets the page")
def authorized():
    client = Client(Serve())

    def basic(user, password, query="user=u&pass=p%3A%C3%A4"):
        word = base64.b64encode(("%s:%s" % (user, password)).encode()).decode()
        return client.get("/fault/basic?" + query, headers=["Authorization: Basic " + word])[0]

    equal([basic("u", "p:\u00e4"), basic("u", "p"), basic("x", "p:\u00e4")], [200, 401, 401], "Basic")

    def digest(password, algorithm, method="GET", uri=None):
        path = "/fault/digest?user=u&pass=p&algorithm=" + algorithm
        client.ask(path, method=method)
        _, headers, _ = client.answer()
        said = dict(re.findall(r'(\w+)="?([^",]+)', headers["www-authenticate"]))
        sums = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}

        def of(*parts):
            return hashlib.new(sums[algorithm.removesuffix("-sess")], ":".join(parts).encode()).hexdigest()

        key = of("u", said["realm"], password)
        if algorithm.endswith("-sess"):
            key = of(key, said["nonce"], "xyz")
        response = of(key, said["nonce"], "0000000a", "xyz", "auth", of(method, uri or path))
        header = ('Authorization: Digest username="u", realm="%s", nonce="%s", uri="%s", algorithm=%s, response="%s", '
                  'opaque="%s", qop=auth, nc=0000000a, cnonce="xyz"' % (said["realm"], said["nonce"], uri or path, algorithm,
                                                                       response, said["opaque"]))
        return client.get(path, method=method, headers=[header])[0]

    for algorithm in ("MD5", "SHA-256", "SHA-512-256", "MD5-sess", "SHA-256-sess"):
        equal([digest("p", algorithm), digest("x", algorithm)], [200, 401], algorithm)
    equal(digest("p", "MD5", method="POST"), 200, "the method is part of it")
    equal(digest("p", "MD5", uri="/"), 401, "so is the place")


@case("silence hears the client out, and a client that leaves it is forgotten")
def silence():
    server = Serve()
    descriptors = "/proc/%d/fd" % server.process.pid
    Client(server).get("/")
    before = len(os.listdir(descriptors))
    clients = []
    for target in ("silent", "no-length-open", "stall?bytes=10", "half-close", "deaf", "endless-head", "endless-body"):
        client = Client(server)
        client.ask("/fault/" + target)
        client.send(b"GET / HTTP/1.1\r\nHost: t\r\n\r\n" * 100)
        clients.append(client)
    time.sleep(QUIET)
    equal(len(os.listdir(descriptors)), before + len(clients), "connections that are open")
    for client in clients:
        client.sock.close()
    wait_until(lambda: len(os.listdir(descriptors)) == before, 5, "the end of all of them")
    status, _, _ = Client(server).get("/")
    equal(status, 200, "the server lives on")


@case("an endless fault lets others have their turn, and rests when nobody reads")
def fair():
    server = Serve()
    takers = [Client(server) for _ in range(3)]
    for taker in takers:
        taker.ask("/fault/endless-body")
        taker.sock.setblocking(False)
    other, slowest = Client(server), 0
    for _ in range(50):
        for taker in takers:
            try:
                taker.sock.recv(1 << 20)
            except BlockingIOError:
                pass
        began = time.monotonic()
        equal(other.get("/")[0], 200, "the page")
        slowest = max(slowest, time.monotonic() - began)
    between(slowest, 0, 0.5, "seconds of the slowest page meanwhile")


raise SystemExit(main())
