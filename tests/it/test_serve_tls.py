#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`brunt serve --tls` by Python's TLS: handshakes, resumption, certificates, truth of the log, faults."""

import hashlib
import os
import re
import signal
import socket
import ssl
import subprocess
import time

from client import Client
from harness import Serve, between, brunt, case, equal, expect, main, need, note, scratch, wait_until

PAGE = 555
KEY_UPDATE, HELLO_REQUEST, APPLICATION_DATA = 24, 0, 23


def trusting(server, **more):
    return ssl.create_default_context(cafile=server.ca_path, **more)


class TlsClient(Client):
    def __init__(self, server, context=None, name="localhost", session=None):
        super().__init__(server)
        self.sock = (context or trusting(server)).wrap_socket(
            self.sock, server_hostname=name, session=session, suppress_ragged_eofs=False)


def said(server):
    server.output.seek(0)
    return server.output.read().decode()


def end(server):
    server.process.send_signal(signal.SIGTERM)
    equal(server.process.wait(10), 0, "exit after SIGTERM")


@case("1.2 and 1.3 are spoken, or the one that is asked for; ALPN is http/1.1")
def versions():
    for options, agreed in (((), "TLSv1.3"), (("--tls-version", "1.2"), "TLSv1.2"), (("--tls-version", "1.3"), "TLSv1.3")):
        server = Serve(*options, tls=True)
        context = trusting(server)
        context.set_alpn_protocols(["h2", "http/1.1"])
        client = TlsClient(server, context)
        equal((client.sock.version(), client.sock.selected_alpn_protocol()), (agreed, "http/1.1"), "what was agreed on")
        for _ in range(3):
            equal(len(client.get("/")[2]), PAGE, "the page")
        other = trusting(server)
        other.maximum_version = ssl.TLSVersion.TLSv1_2
        other.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            TlsClient(server, other)
            expect(options != ("--tls-version", "1.3"), "1.2 with a server of 1.3")
        except (ssl.SSLError, ConnectionResetError):
            equal(options, ("--tls-version", "1.3"), "1.2 is refused")


@case("the certificate is good for this machine by each of its names; its sum is printed, its file is there at once")
def certificate():
    server = Serve(tls=True)
    for name in ("localhost", "127.0.0.1", "::1"):
        client = TlsClient(server, name=name)
        der = client.sock.getpeercert(binary_form=True)
    equal(ssl.PEM_cert_to_DER_cert(open(server.ca_path).read()), der, "the file holds it")
    expect("listening on https://127.0.0.1:%d/\n" % server.port in said(server), "the address", said(server))
    expect("certificate SHA-256 %s\n" % hashlib.sha256(der).hexdigest() in said(server), "the sum", said(server))
    try:
        TlsClient(server, ssl.create_default_context())
        expect(False, "nobody vouches for it")
    except ssl.SSLCertVerificationError as why:
        expect("self" in why.verify_message, "the reason", why)


@case("what is wrong with a certificate is what was asked for, and nothing else")
def flaws():
    for flaw, words in (("expired", "expired"), ("not-yet", "not yet valid"), ("wrong-host", "mismatch")):
        server = Serve("--tls-bad", flaw, tls=True)
        try:
            TlsClient(server)
            expect(False, "%s was accepted" % flaw)
        except ssl.SSLCertVerificationError as why:
            expect(words in why.verify_message, "the reason of " + flaw, why)
        careless = ssl.create_default_context()
        careless.check_hostname, careless.verify_mode = False, ssl.CERT_NONE
        equal(TlsClient(server, careless).get("/")[0], 200, "who does not look is served")


@case("a session is resumed, by whichever thread, unless there are no tickets")
def resumption():
    for options, agreed in (((), True), (("--tls-no-tickets",), False)):
        for version in ("1.2", "1.3"):
            server = Serve("--threads", "4", "--tls-version", version, *options, tls=True)
            context = trusting(server)
            first = TlsClient(server, context)
            first.get("/")
            resumed = []
            for _ in range(12):
                client = TlsClient(server, context, session=first.sock.session)
                client.get("/")
                resumed.append(client.sock.session_reused)
            equal(resumed, [agreed] * 12, "resumed with %s %s" % (version, options))


@case("requests of any size, pipelined, in pieces, with an invitation, large answers: as without TLS")
def requests():
    server = Serve(tls=True)
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = trusting(server)
        context.minimum_version = context.maximum_version = version
        client = TlsClient(server, context)
        client.send(b"".join(b"GET /bytes/%d HTTP/1.1\r\nHost: t\r\n\r\n" % (n * 1000) for n in range(100)))
        for n in range(100):
            equal(len(client.answer()[2]), n * 1000, "pipelined")
        body = os.urandom(1 << 19).hex().encode()
        # One after the other: OpenSSL's connections are not for two threads.
        client.ask("/echo", method="POST", headers=["Content-Length: %d" % len(body)], body=body)
        equal(client.answer()[2], body, "echo")
        for byte in b"POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabc":
            client.send(bytes([byte]))
        equal(client.answer()[2], b"abc", "byte by byte")
        client.ask("/echo", method="POST", headers=["Content-Length: 3", "Expect: 100-continue"])
        wait_until(lambda: client.more() and b"\r\n\r\n" in client.data, 5, "the invitation")
        equal(client.data, b"HTTP/1.1 100 Continue\r\n\r\n", "the invitation")
        client.data = b""
        client.send(b"xyz")
        equal(client.answer()[2], b"xyz", "echo")
        equal(len(client.get("/bytes/3m")[2]), 3 << 20, "a large answer")
        client.get("/", headers=["Connection: close"])
        expect(client.closed(), "the server ends with a word of it")


@case("many connections at once, over threads, with delays")
def many():
    server = Serve("--threads", "2", tls=True, log=True)
    context = trusting(server)
    clients = [TlsClient(server, context) for _ in range(60)]
    began = time.monotonic()
    for client in clients:
        client.ask("/delay?constant=200ms")
    for client in clients:
        equal(client.answer()[0], 200, "status")
    between(time.monotonic() - began, 0.2, 1.5, "seconds for sixty delays of 0.2 s")
    end(server)
    equal(server.count_lines() - 1, 60, "lines in the log")


@case("the true hold is what a client sees, of the first request of a connection too")
def holds():
    server = Serve(tls=True, log=True)
    context = trusting(server)
    seen = []
    for i in range(60):
        if i % 10 == 0:
            client = TlsClient(server, context)
        began = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        client.get("/delay?constant=%dms&bytes=%d" % (1 + i % 5, 10 if i % 2 else 100000))
        seen.append((began, time.clock_gettime_ns(time.CLOCK_MONOTONIC)))
    end(server)
    rows = [line.split(" ") for line in server.log_lines()[1:]]
    equal(len(rows), len(seen), "lines in the log")
    extra = []
    for (began, ended), row in zip(seen, rows):
        arrival, hold = int(row[0]), int(row[5])
        expect(began <= arrival, "arrived after it was sent", began, row)
        expect(arrival + hold <= ended, "handed over before it was read", ended, row)
        expect(hold >= int(re.search(r"constant=(\d+)", row[2]).group(1)) * 1000000, "held for its delay", row)
        extra.append(ended - began - hold)
    note("response - hold: median %.0f us" % (sorted(extra)[len(extra) // 2] / 1e3))
    between(sorted(extra)[len(extra) // 2], 0, 2e6, "ns between the client's time and the hold, median")


@case("a client needs a certificate when one is asked for, and the right one")
def client_certificates():
    openssl = need("openssl")
    folder = scratch()

    def make(name):
        key, pem = os.path.join(folder, name + ".key"), os.path.join(folder, name + ".pem")
        subprocess.run([openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                        "-subj", "/CN=" + name, "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", pem],
                       check=True, capture_output=True, timeout=30)
        return pem, key

    good, bad = make("good"), make("bad")
    server = Serve("--client-ca", good[0], tls=True)

    def status(pair):
        context = trusting(server)
        if pair:
            context.load_cert_chain(*pair)
        try:
            return TlsClient(server, context).get("/")[0]
        except (ssl.SSLError, ConnectionError):
            return "refused"

    equal([status(good), status(bad), status(None)], [200, "refused", "refused"], "with it, with another, without")
    given = Serve("--tls", "--tls-cert", good[0], "--tls-key", good[1])
    client = TlsClient(given, ssl.create_default_context(cafile=good[0]))
    equal(client.sock.getpeercert(binary_form=True), ssl.PEM_cert_to_DER_cert(open(good[0]).read()), "the one that is given")
    equal(client.get("/")[0], 200, "status")
    for options, words in (
            (("--tls", "--tls-cert", "/nonexistent"), "/nonexistent"),
            (("--tls", "--tls-cert", good[1]), good[1]),
            (("--tls", "--tls-cert", good[0], "--tls-key", bad[1]), bad[1]),
            (("--tls", "--tls-key", good[1]), "--tls-cert"),
            (("--tls", "--client-ca", good[1]), good[1]),
            (("--tls", "--tls-cert", good[0], "--tls-key", good[1], "--tls-bad", "expired"), "--tls-bad"),
            (("--tls-version", "1.3"), "--tls"), (("--tls-no-tickets",), "--tls"), (("--client-ca", good[0]), "--tls"),
            (("--tls-fault", "stall"), "--tls"), (("--tls", "--tls-version", "1.1"), "1.2"),
            (("--tls", "--tls-bad", "old"), "expired"), (("--tls", "--tls-fault", "x"), "stall")):
        run = brunt("serve", "--listen", "127.0.0.1:0", *options, timeout=10)
        equal((run.code, run.err.count("\n")), (2, 1), "exit and lines of %s" % (options,), run.err)
        expect(words in run.err, "the words of %s" % (options,), run.err)
    run = brunt("serve", "--listen", "127.0.0.1:0", "--tls", "--tls-ca-out", "/nonexistent/ca", timeout=10)
    equal(run.code, 3, "no place for the certificate", run.err)


def hello():
    """The first flight of a client, as bytes."""
    out = ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), out, server_hostname="localhost")
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return out.read()


@case("in place of a handshake comes what was asked for, and not before the client has begun")
def handshake_faults():
    plain = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    for fault, want, how in (("stall", b"", "open"), ("close", b"", "end"), ("reset", b"", "reset"),
                             ("alert", b"\x15\x03\x03\x00\x02\x02\x28", "end"), ("plain", plain, "end")):
        server = Serve("--tls-fault", fault, tls=True)
        sock = socket.create_connection(("127.0.0.1", server.port))
        sock.settimeout(0.15)
        try:
            expect(False, "%s: something came unasked" % fault, sock.recv(1))
        except socket.timeout:
            pass
        sock.sendall(hello())
        got, ended = b"", None
        try:
            while ended is None:
                more = sock.recv(4096)
                got += more
                ended = None if more else "end"
        except socket.timeout:
            ended = "open"
        except ConnectionResetError:
            ended = "reset"
        equal((got, ended), (want, how), fault)
        sock.close()


@case("what is no handshake is shown out, and who leaves in the middle is forgotten")
def no_handshake():
    server = Serve(tls=True)
    descriptors = "/proc/%d/fd" % server.process.pid
    TlsClient(server).get("/")
    wait_until(lambda: len(os.listdir(descriptors)) > 0, 5, "its descriptors")
    before = len(os.listdir(descriptors))
    client = Client(server)
    client.send(b"GET / HTTP/1.1\r\nHost: t\r\n\r\n")
    try:
        while client.more():
            pass
    except ConnectionResetError:
        pass
    expect(b"HTTP/1.1 200" not in client.data, "no page without TLS", client.data)
    for part in (b"", hello()[:50], hello()):
        sock = socket.create_connection(("127.0.0.1", server.port))
        sock.sendall(part)
        time.sleep(0.02)
        sock.close()
    client.sock.close()
    wait_until(lambda: len(os.listdir(descriptors)) <= before, 5, "the end of all of them")
    equal(TlsClient(server).get("/")[0], 200, "the server lives on")


@case("100 KB in full-size records, and then silence")
def records():
    server = Serve(tls=True)
    into, out = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = trusting(server).wrap_bio(into, out, server_hostname="localhost")
    sock = socket.create_connection(("127.0.0.1", server.port))
    sock.settimeout(5)
    raw, text = b"", b""

    def turn(action):
        nonlocal raw
        while True:
            try:
                return action()
            except ssl.SSLWantReadError:
                sock.sendall(out.read())
                more = sock.recv(1 << 20)
                raw += more
                into.write(more)

    turn(tls.do_handshake)
    turn(lambda: tls.write(b"GET /fault/answer-silent?bytes=100k HTTP/1.1\r\nHost: t\r\n\r\n"))
    sock.sendall(out.read())
    while len(text.partition(b"\r\n\r\n")[2]) < 102400:
        text += turn(lambda: tls.read(1 << 20))
    sizes = []
    while raw:
        size = int.from_bytes(raw[3:5], "big")
        if raw[0] == APPLICATION_DATA:
            sizes.append(size)
        raw = raw[5 + size:]
    expect(len([size for size in sizes if size >= 16384]) >= 6, "records of full size", sizes)
    sock.settimeout(0.15)
    try:
        expect(False, "something came", sock.recv(1))
    except socket.timeout:
        pass


@case("a wish to renew is a message of its own in the middle of the answer, and the answer is whole")
def renewal():
    for version, wanted in (("1.3", KEY_UPDATE), ("1.2", HELLO_REQUEST)):
        server = Serve("--tls-version", version, tls=True)
        context = trusting(server)
        seen = []
        context._msg_callback = lambda conn, way, protocol, content, kind, data: seen.append((way, int(kind))) \
            if content == 22 or getattr(content, "name", "") == "HANDSHAKE" else None
        client = TlsClient(server, context)
        client.get("/")
        del seen[:]
        equal(len(client.get("/fault/renew?delay=20ms")[2]), 102400, "the body")
        equal(len(client.get("/")[2]), PAGE, "the next request")
        count = len([one for one in seen if one == ("read", wanted)])
        note("messages in %s: %s" % (version, seen))
        between(count, 1, 2, "wishes that came in " + version, seen)


raise SystemExit(main())
