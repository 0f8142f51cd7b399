# SPDX-License-Identifier: Apache-2.0
"""A server in threads of this process whose answers are written byte by byte, and which counts."""

import contextlib
import re
import socket
import threading
import time

from server import free_port
from tap import at_end


class Talk:
    """One connection of a Script: reads requests, sends bytes. number counts from 1."""

    def __init__(self, script, sock, number):
        self.script, self.sock, self.number = script, sock, number
        self.rest = b""
        self.requests = 0

    def request(self):
        """The next request's head, its body read and thrown away; None when the client is gone."""
        while b"\r\n\r\n" not in self.rest:
            if not self.more():
                return None
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        self.requests += 1
        self.script.count(head)
        return head

    def drop_body(self, head):
        length = re.search(rb"(?im)^content-length:\s*(\d+)", head)
        left = int(length.group(1)) if length else 0
        while left > len(self.rest):
            if not self.more():
                return
        self.rest = self.rest[left:]

    def more(self):
        try:
            data = self.sock.recv(65536)
        except OSError:
            return False
        self.rest += data
        return bool(data)

    def send(self, data):
        """False when the client is gone."""
        try:
            self.sock.sendall(data)
            return True
        except OSError:
            return False

    def wait_gone(self, seconds=30):
        """Holds the connection open until the client leaves or the server is stopped."""
        self.sock.settimeout(0.2)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not self.script.stopped:
            try:
                if not self.sock.recv(65536):
                    return
            except socket.timeout:
                continue
            except OSError:
                return


def answer(body=b"ok", status=200, headers=(), version="1.1", length=True):
    lines = ["HTTP/%s %d Status" % (version, status)] + list(headers)
    if length:
        lines.append("Content-Length: %d" % len(body))
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


class Script:
    """A server in threads of this process: play(talk) is called for every connection and the
    connection is closed when it returns. Counts what it read: heads[], requests, connections."""

    def __init__(self, play, backlog=4096):
        self.play = play
        self.lock = threading.Lock()
        self.requests, self.connections, self.live, self.most_live = 0, 0, 0, 0
        self.heads = []
        self.stopped = False
        self.talks = set()
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.port = free_port()
        self.sock.bind(("127.0.0.1", self.port))
        self.sock.listen(backlog)
        self.sock.settimeout(0.2)
        self.url = "http://127.0.0.1:%d/" % self.port
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()
        at_end(self.stop)

    def accept(self):
        while not self.stopped:
            try:
                sock, _ = self.sock.accept()
            except socket.timeout:
                continue
            except OSError:
                return
            sock.settimeout(60)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def serve(self, sock):
        with self.lock:
            self.connections += 1
            self.live += 1
            self.most_live = max(self.most_live, self.live)
            talk = Talk(self, sock, self.connections)
            self.talks.add(talk)
        try:
            self.play(talk)
        finally:
            sock.close()
            with self.lock:
                self.live -= 1
                self.talks.discard(talk)

    def count(self, head):
        with self.lock:
            self.requests += 1
            if len(self.heads) < 1000:
                self.heads.append(head)

    def stop(self):
        self.stopped = True
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        self.sock.close()
        with self.lock:
            for talk in self.talks:
                with contextlib.suppress(OSError):
                    talk.sock.shutdown(socket.SHUT_RDWR)
        self.thread.join(2)


def always(data):
    """A play that gives the same answer to every request."""

    def play(talk):
        while True:
            head = talk.request()
            if head is None or not talk.send(data):
                return

    return play
