# SPDX-License-Identifier: Apache-2.0
"""An HTTP/1 client on a raw socket, for tests that need to know what came byte by byte."""

import re
import socket

from tap import at_end, expect


class Client:
    """One connection. get() and friends send a request and read its answer."""

    def __init__(self, server, family=socket.AF_INET):
        self.sock = socket.socket(family, socket.SOCK_STREAM)
        self.sock.settimeout(20)
        self.sock.connect(server if isinstance(server, (str, tuple)) else ("127.0.0.1", server.port))
        at_end(self.sock.close)
        self.data = b""

    def send(self, data):
        self.sock.sendall(data)

    def more(self):
        piece = self.sock.recv(1 << 16)
        self.data += piece
        return len(piece) > 0

    def answer(self, with_body=True):
        """status, headers, body; the body by its length."""
        while b"\r\n\r\n" not in self.data:
            expect(self.more(), "the server closed in the head", self.data)
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            expect(name not in headers, "header %s twice" % name)
            headers[name] = value
        match = re.fullmatch(r"HTTP/1\.1 (\d{3}) .+", lines[0])
        expect(match, "no status line", lines[0])
        length = int(headers.get("content-length", 0)) if with_body else 0
        while len(self.data) < length:
            expect(self.more(), "the server closed in the body")
        body, self.data = self.data[:length], self.data[length:]
        return int(match.group(1)), headers, body

    def ask(self, path, method="GET", version="1.1", headers=(), body=b""):
        lines = ["%s %s HTTP/%s" % (method, path, version), "Host: t", *headers]
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def get(self, path, **more):
        self.ask(path, **more)
        return self.answer(more.get("method") != "HEAD")

    def closed(self):
        """Whether the server closes, and nothing else comes."""
        return not self.more() and self.data == b""
