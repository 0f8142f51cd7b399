#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Public bug reports on TLS, and others of their kinds, against python's ssl and openssl s_server: CASES.md has the list."""

import atexit
import contextlib
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

from certificates import Authority
from harness import (Script, add_case, always, answer, at_end, between, brunt, case, equal, expect, free_port, good_load, load,
                     main, need, stop_process, wait_until)

MS = 1e6


class Own:
    """One authority and one certificate for all cases, since making them takes longer than most of these: files
    root, chain, key."""

    made = None

    def __init__(self):
        folder = tempfile.mkdtemp(prefix="brunt-it-")
        atexit.register(shutil.rmtree, folder, True)
        authority = Authority()
        own = authority.server()
        self.root, self.chain, self.key = (shutil.copy(path, folder) for path in (authority.root, own.chain, own.key))

    @classmethod
    def get(cls):
        cls.made = cls.made or cls()
        return cls.made


class TlsScript(Script):
    """A Script behind TLS. Its connections end as play() leaves them: without close_notify unless it says so."""

    def __init__(self, play, version=ssl.TLSVersion.TLSv1_3, tickets=2):
        own = Own.get()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(own.chain, own.key)
        self.context.minimum_version = self.context.maximum_version = version
        self.context.num_tickets = tickets
        self.trust = ["--cacert", own.root]
        super().__init__(play)
        self.url = self.url.replace("http:", "https:")

    def serve(self, sock):
        try:
            tls = self.context.wrap_socket(sock, server_side=True)
        except OSError:
            sock.close()
            return
        super().serve(tls)


class Records:
    """The server's side of TLS over a plain socket, where each record can be cut as one likes."""

    def __init__(self, talk, context):
        self.sock = talk.sock
        self.came, self.goes = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.came, self.goes, server_side=True)
        self.drive(self.tls.do_handshake)

    def drive(self, step):
        while True:
            try:
                done = step()
            except ssl.SSLWantReadError:
                done = None
                self.flush(1 << 20)
                data = self.sock.recv(65536)
                if not data:
                    raise OSError("the client has gone") from None
                self.came.write(data)
                continue
            self.flush(1 << 20)
            return done

    def flush(self, piece):
        data = self.goes.read()
        for at in range(0, len(data), piece):
            self.sock.sendall(data[at:at + piece])

    def read(self):
        data = self.drive(lambda: self.tls.read(65536))
        if not data:
            raise OSError("the client has ended it")
        return data

    def send(self, data, record, piece):
        """data in records of that many bytes, the stream of them in pieces of that many."""
        for at in range(0, len(data), record):
            self.tls.write(data[at:at + record])
        self.flush(piece)


VERSIONS = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}

# Case 8: all of the answer lies in the library's buffer, and nothing more comes.


def at_once(run, number, size):
    equal(run.doc["bytes"]["body_in"], number * size, "bytes of bodies", run)
    between(run.doc["latency_ns"]["response"]["max"] / MS, 0, 5000, "max in ms: nobody waits for more", run)


def full_records(version, size):
    server = TlsScript(always(answer(b"r" * size)), VERSIONS[version])
    for options in ([], ["--close"], ["--expect-body", "r"])[:3 if size else 2]:
        run = good_load(server.url, *server.trust, "-c", "2", "-n", "12", "--timeout", "10s", *options)
        at_once(run, 12, size)


HEAD = len(answer(b"r" * 99999)) - 99999

for _version in VERSIONS:
    for _size in (100000, 0, 1, 7 * 16384 - HEAD - 1, 7 * 16384 - HEAD, 7 * 16384 - HEAD + 1, 1000000):
        if _version == "1.3" or _size == 100000:
            add_case("case 8: %d bytes in full records and then silence, TLS %s" % (_size, _version), full_records, _version, _size)


def cut_records(record, piece):
    server = Script(None)
    context = TlsScript(always(b"")).context

    def play(talk):
        with contextlib.suppress(OSError):
            records = Records(talk, context)
            rest = b""
            while True:
                while b"\r\n\r\n" not in rest:
                    rest += records.read()
                rest = rest.split(b"\r\n\r\n", 1)[1]
                records.send(answer(b"r" * 20000), record, piece)

    server.play = play
    run = good_load(server.url.replace("http:", "https:"), "--insecure", "-c", "2", "-n", "8", "--timeout", "10s")
    at_once(run, 8, 20000)


for _record, _piece in ((100, 1 << 20), (16384, 1000), (3000, 2999), (16384, 16384 + 22), (20100, 1 << 20)):
    add_case("case 8: records of %d bytes in segments of %d" % (_record, _piece), cut_records, _record, _piece)


@case("case 8: an answer behind twenty session tickets is complete at once")
def tickets():
    server = TlsScript(always(answer(b"r" * 20000)), tickets=20)
    run = good_load(server.url, *server.trust, "-c", "2", "-n", "10", "--timeout", "10s")
    at_once(run, 10, 20000)


def rekeys(request, *more):
    """openssl s_server with a person at it: what is typed goes out, and a line with the letter is an order."""
    own = Own.get()
    port = free_port()
    process = subprocess.Popen(
        [need("openssl"), "s_server", "-accept", "127.0.0.1:%d" % port, "-cert", own.chain, "-key", own.key, *more],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    at_end(lambda: stop_process(process))
    heard = []

    def hear():
        for line in process.stdout:
            heard.append(line)

    def say(text):
        process.stdin.write(text)
        process.stdin.flush()

    threading.Thread(target=hear, daemon=True).start()
    wait_until(lambda: any(line.startswith(b"ACCEPT") for line in heard), 10, "s_server to listen")
    run = []
    loading = threading.Thread(target=lambda: run.append(
        brunt("run", "--once", "--no-store", "--cacert", own.root, "--timeout", "20s", "https://127.0.0.1:%d/" % port)))
    loading.start()
    wait_until(lambda: any(line.startswith(b"GET / ") for line in heard), 15, "the request at s_server")
    # Orders are read a line at a time where they come alone.
    say(b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nfirst\n")
    time.sleep(0.3)
    say(request)
    time.sleep(0.3)
    say(b"second")
    say(b"\n")
    loading.join(30)
    expect(run, "brunt came to an end", heard)
    equal(run[0].code, 0, "exit code", run[0], heard)
    expect("first" in run[0].out and "secon" in run[0].out, "both halves of the body", run[0], heard)


add_case("case 8: a new key that wants an answer, in the middle of a body", rekeys, b"K\n", "-tls1_3")
add_case("case 8: a new key that wants none", rekeys, b"k\n", "-tls1_3")


# Case 9: the connection ends, and TLS does not vouch for it.


def answers_and(end, data):
    def play(talk):
        if talk.request() is not None and talk.send(data):
            end(talk)

    return play


def drops(talk):
    """close() of python's ssl sends no close_notify."""


def says_goodbye(talk):
    talk.sock.settimeout(2)
    with contextlib.suppress(OSError):
        talk.sock.unwrap()


def resets(talk):
    talk.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


UNTIL_CLOSE = b"HTTP/1.1 200 OK\r\n\r\n" + b"u" * 30000


def unclean(run):
    return run.doc["tls"]["unclean_ends"]


def known_length(version):
    for data in (answer(b"l" * 30000), answer(b"l" * 30000, headers=["Connection: close"])):
        server = TlsScript(answers_and(drops, data), VERSIONS[version])
        run = good_load(server.url, *server.trust, "-c", "2", "-n", "10")
        equal((run.doc["totals"]["ok"], unclean(run)), (10, 0), "ok and unclean ends", run)
        expect("unclean" not in run.said(), "nothing to warn of", run)


def until_close(version):
    server = TlsScript(answers_and(drops, UNTIL_CLOSE), VERSIONS[version])
    run = good_load(server.url, *server.trust, "-c", "2", "-n", "10")
    equal(run.doc["bytes"]["body_in"], 300000, "bytes of bodies", run)
    equal(unclean(run), 10, "unclean ends", run)
    expect("unclean TLS close" in run.said() and "10" in run.said(), "the warning, counted", run)
    server = TlsScript(answers_and(says_goodbye, UNTIL_CLOSE), VERSIONS[version])
    run = good_load(server.url, *server.trust, "-c", "2", "-n", "10")
    equal((run.doc["totals"]["ok"], unclean(run)), (10, 0), "ok and unclean ends with close_notify", run)
    expect("unclean" not in run.said(), "nothing to warn of", run)


for _version in VERSIONS:
    add_case("case 9: an unclean close behind a known length is plain success, TLS %s" % _version, known_length, _version)
    add_case("case 9: an unclean close that ends a body is success with a counted warning, TLS %s" % _version, until_close, _version)


@case("case 9: what is cut stays truncated, with a clean close and without")
def cut_stays_cut():
    for data in (answer(b"l" * 30000)[:-1], b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", b"HTTP/1.1 200 OK\r\nConten"):
        for end in (drops, says_goodbye):
            server = TlsScript(answers_and(end, data))
            run = load(server.url, *server.trust, "-c", "2", "-n", "8")
            equal(run.doc["totals"]["by_failure"], {"truncated": 8}, "by_failure", run)


@case("case 9: a reset in place of the end of a body is no success")
def reset_is_none():
    def slowly_reset(talk):
        time.sleep(0.05)
        resets(talk)

    server = TlsScript(answers_and(slowly_reset, UNTIL_CLOSE))
    run = load(server.url, *server.trust, "-c", "2", "-n", "8")
    equal(run.doc["totals"]["by_failure"], {"reset": 8}, "by_failure", run)


@case("case 5: a kept-alive TLS connection that ends between two requests costs GET nothing, however it ends")
def ends_between():
    for end in (drops, says_goodbye):
        server = TlsScript(answers_and(end, answer()))
        run = good_load(server.url, *server.trust, "-c", "2", "-n", "20", "--timeout", "5s")
        equal(run.doc["totals"]["ok"], 20, "ok", run)


sys.exit(main())
