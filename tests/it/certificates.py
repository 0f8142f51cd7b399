# SPDX-License-Identifier: Apache-2.0
"""Certificates for tests: an authority of their own, and what it signs, made by the openssl program."""

import os
import subprocess

from server import need
from tap import Failed, scratch

NAMES = "DNS:localhost,IP:127.0.0.1,IP:::1"


def openssl(*arguments):
    done = subprocess.run([need("openssl")] + list(arguments), stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
    if done.returncode:
        raise Failed("openssl %s: %s" % (" ".join(arguments), done.stderr.decode(errors="replace")))


class Certificate:
    """chain: the file with the certificate; key: that of its key; both: one file with both."""

    def __init__(self, folder, name):
        self.name = name
        self.chain, self.key, self.both = (os.path.join(folder, name + end) for end in (".crt", ".key", ".pem"))

    def join(self):
        with open(self.both, "wb") as both:
            for path in (self.chain, self.key):
                with open(path, "rb") as part:
                    both.write(part.read())
        for path in (self.key, self.both):
            os.chmod(path, 0o644)  # for servers that run as a user of their own


class Authority:
    """Signs certificates. root: the file that a client has to trust."""

    def __init__(self, name="brunt test authority"):
        self.dir = scratch()
        self.own = Certificate(self.dir, "root")
        self.root = self.own.chain
        self.make(self.own, "/CN=" + name, "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign")

    def make(self, certificate, subject, *extensions, key=("ec", "ec_paramgen_curve:P-256"), signed=(), days=10):
        words = ["req", "-x509", "-newkey", key[0], "-pkeyopt", key[1], "-nodes", "-sha256", "-days", str(days), "-subj", subject,
                 "-keyout", certificate.key, "-out", certificate.chain, *signed]
        for extension in extensions:
            words += ["-addext", extension]
        openssl(*words)
        certificate.join()
        return certificate

    def signs(self, name, subject, *extensions, **more):
        by = ["-CA", self.own.chain, "-CAkey", self.own.key]
        return self.make(Certificate(self.dir, name), subject, "basicConstraints=critical,CA:FALSE", *extensions, signed=by, **more)

    def server(self, name="server", names=NAMES, **more):
        """A certificate of a server, for these names."""
        return self.signs(name, "/CN=" + name, "subjectAltName=" + names, "extendedKeyUsage=serverAuth", **more)

    def client(self, name="client", **more):
        """A certificate that a client shows."""
        return self.signs(name, "/CN=" + name, "extendedKeyUsage=clientAuth", **more)
