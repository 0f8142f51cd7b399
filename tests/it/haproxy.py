# SPDX-License-Identifier: Apache-2.0
"""haproxy with a configuration of its own, in front of a server that was started before."""

import os

from server import TLS_VERSIONS, Server, accepts, free_port, need, need_descriptors
from tap import scratch

CONF = """
global
    maxconn 5000
    nbthread 1
    log stdout format raw local0
    tune.ssl.default-dh-param 2048
defaults
    mode http
    log global
    option dontlognull
    option http-ignore-probes
    retries 3
    timeout connect 10s
    timeout client 60s
    timeout server 60s
    log-format "%%ci|-|%%HM %%HU %%HV|%%ST|%%B|%%U|%%[var(txn.expect)]|%%sslv|%%[ssl_fc_is_resumed]|%%[ssl_c_s_dn(CN)]|%%cp|%%ts"
frontend front
    bind 127.0.0.1:%(port)d backlog 4096
    bind %(unix)s mode 666
    %(tls)s
    http-request set-var(txn.expect) req.hdr(expect)
    %(front)s
    default_backend back
backend back
    %(back)s
    server one %(to)s
"""


class Haproxy(Server):
    """Passes on to `to` (ADDRESS:PORT and options of haproxy's server line). Also at a socket, unix. tls: also by
    TLS of these versions on tls_port, with this certificate; tls_more: options of that bind line; front, back: more lines of these
    parts."""

    name = "haproxy"
    columns = ("client", "user", "request", "status", "passed_in", "passed_out", "expect", "tls", "resumed", "subject", "from_port", "ended")

    def __init__(self, to, tls=None, versions=TLS_VERSIONS, tls_more="", front="", back=""):
        program = need("haproxy")
        need_descriptors(12000)
        self.dir = scratch()
        self.port = free_port()
        self.unix = os.path.join(self.dir, "socket")
        self.log_path = os.path.join(self.dir, "access.log")
        bind = ""
        if tls:
            self.tls_port = free_port()
            self.tls_url = "https://127.0.0.1:%d" % self.tls_port
            bind = "bind 127.0.0.1:%d backlog 4096 ssl crt %s ssl-min-ver %s ssl-max-ver %s %s" % (
                self.tls_port, tls.both, versions[0], versions[-1], tls_more)
        path = os.path.join(self.dir, "haproxy.conf")
        with open(path, "w") as file:
            file.write(CONF % {"port": self.port, "unix": self.unix, "tls": bind, "front": front, "back": back, "to": to})
        self.url = "http://127.0.0.1:%d" % self.port
        with open(self.log_path, "ab") as log:
            self.launch([program, "-db", "-f", path], lambda: accepts(("127.0.0.1", self.port)), stdout=log)

    def log_lines(self):
        """It also has lines of handshakes that failed."""
        return [line for line in super().log_lines() if "|" in line]

    def count_lines(self):
        return len(self.log_lines())
