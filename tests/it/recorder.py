# SPDX-License-Identifier: Apache-2.0
"""A Script that answers 200 to everything and keeps whole requests."""

import hashlib
import re
import threading

from script import Script, answer

KEPT_BYTES = 1 << 20


class Request:
    """method, target, headers [(lower-case name, value)], body (None when longer than KEPT_BYTES), size, digest."""

    def __init__(self, head, body, size, digest):
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, self.version = lines[0].split(" ")
        self.headers = [(name.lower(), value.strip()) for name, value in (line.split(":", 1) for line in lines[1:])]
        self.body, self.size, self.digest = body, size, digest

    def all(self, name):
        return [value for key, value in self.headers if key == name]

    def __repr__(self):
        return "%s %s %s %s" % (self.method, self.target, self.headers, self.body)


class Recorder:
    def __init__(self):
        self.lock = threading.Lock()
        self.requests = []
        self.script = Script(self.play)
        self.port, self.url = self.script.port, self.script.url

    def take(self):
        """The requests so far, which are forgotten."""
        with self.lock:
            taken, self.requests = self.requests, []
        return taken

    def play(self, talk):
        while (head := talk.request()) is not None:
            length = re.search(rb"(?im)^content-length:\s*(\d+)", head)
            left, kept, digest = int(length.group(1)) if length else 0, b"", hashlib.sha256()
            size = left
            while left > 0:
                if not talk.rest and not talk.more():
                    return
                piece, talk.rest = talk.rest[:left], talk.rest[left:]
                digest.update(piece)
                kept = kept + piece if size <= KEPT_BYTES else b""
                left -= len(piece)
            request = Request(head, kept if size <= KEPT_BYTES else None, size, digest.hexdigest())
            with self.lock:
                self.requests.append(request)
            if not talk.send(answer(b"" if request.method == "HEAD" else b"ok")):
                return
