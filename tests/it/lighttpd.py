# SPDX-License-Identifier: Apache-2.0
"""lighttpd with a configuration of its own."""

import os
import signal

from server import TLS_VERSIONS, Server, accepts, free_port, need, need_descriptors, write_pages, write_scripts
from tap import Skip, scratch

MODULES = "/usr/lib/lighttpd"

CONF = """
server.modules = (%(modules)s)
server.document-root = "%(dir)s/www"
server.bind = "127.0.0.1"
server.port = %(port)d
server.listen-backlog = 4096
server.max-connections = 4096
server.max-fds = 6000
server.max-keep-alive-requests = %(keepalive_requests)d
server.max-keep-alive-idle = 60
server.upload-dirs = ("%(dir)s/upload")
server.errorlog = "%(dir)s/error.log"
index-file.names = ("index.html")
mimetype.assign = ("" => "text/html")
accesslog.filename = "%(log)s"
accesslog.format = "%%h|%%u|%%r|%%s|%%k|%%O|%%I|%%{Expect}i"
$SERVER["socket"] == "%(dir)s/socket" { }
%(tls)s
%(more)s
"""

TLS = """
$SERVER["socket"] == "127.0.0.1:%(port)d" {
    ssl.engine = "enable"
    ssl.pemfile = "%(both)s"
    ssl.openssl.ssl-conf-cmd = ("MinProtocol" => "%(least)s", "MaxProtocol" => "%(most)s")
    %(more)s
}
"""


class Lighttpd(Server):
    """Also at a socket, unix. tls: also by TLS of these versions on tls_port, with this certificate, by the
    library that library names (openssl, gnutls); tls_more: more lines for that port; modules and more: more of these."""

    name = "lighttpd"
    columns = ("client", "user", "request", "status", "use", "sent", "received", "expect")

    def __init__(self, keepalive_requests=1000000, tls=None, versions=TLS_VERSIONS, library="openssl", tls_more="",
                 modules=(), more=""):
        program = need("lighttpd")
        need_descriptors(6000)
        self.dir = scratch()
        self.port = free_port()
        self.unix = os.path.join(self.dir, "socket")
        self.log_path = os.path.join(self.dir, "access.log")
        write_pages(os.path.join(self.dir, "www"))
        write_scripts(os.path.join(self.dir, "www", "cgi"))
        os.mkdir(os.path.join(self.dir, "upload"))
        modules = ["mod_accesslog", *modules]
        tls_text = ""
        if tls:
            modules.append("mod_" + library)
            self.tls_port = free_port()
            self.tls_url = "https://127.0.0.1:%d" % self.tls_port
            tls_text = TLS % {"port": self.tls_port, "both": tls.both, "least": versions[0], "most": versions[-1], "more": tls_more}
        for name in modules:
            if not os.path.exists("%s/%s.so" % (MODULES, name)):
                raise Skip("lighttpd has no " + name)
        path = os.path.join(self.dir, "lighttpd.conf")
        with open(path, "w") as file:
            file.write(CONF % {"dir": self.dir, "port": self.port, "log": self.log_path, "tls": tls_text, "more": more,
                               "keepalive_requests": keepalive_requests, "modules": ", ".join('"%s"' % name for name in modules)})
        self.url = "http://127.0.0.1:%d" % self.port
        self.launch([program, "-D", "-f", path, "-m", MODULES], lambda: accepts(("127.0.0.1", self.port)))

    def count_lines(self):
        """It keeps up to four seconds of lines back, until it is asked to open its log anew."""
        self.process.send_signal(signal.SIGHUP)
        return super().count_lines()
