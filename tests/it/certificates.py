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


def append(path, more):
    with open(path, "ab") as file, open(more, "rb") as part:
        file.write(part.read())


class Certificate:
    """chain: the file with the certificate; key: that of its key; both: one file with both."""

    def __init__(self, folder, name):
        self.name = name
        self.chain, self.key, self.both = (os.path.join(folder, name + end) for end in (".crt", ".key", ".pem"))


class Authority:
    """Signs certificates. root: the file that a client has to trust. above: the authority that vouches for this
    one, which is then shown with each certificate."""

    def __init__(self, name="brunt test authority", above=None):
        self.dir, self.above = scratch(), above
        self.own = Certificate(self.dir, "authority")
        self.root = above.root if above else self.own.chain
        self.make(self.own, "/CN=" + name, "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign",
                  signed=above.signature() if above else ())

    def signature(self):
        return ["-CA", self.own.chain, "-CAkey", self.own.key]

    def make(self, certificate, subject, *extensions, key=("ec", "ec_paramgen_curve:P-256"), signed=(), expired=False):
        words = ["req", "-x509", "-newkey", key[0], "-pkeyopt", key[1], "-nodes", "-sha256", "-days", "10", "-subj", subject,
                 "-keyout", certificate.key, "-out", certificate.chain, *signed]
        for extension in extensions:
            words += ["-addext", extension]
        openssl(*words)
        if expired:
            self.sign_for_yesterday(certificate)
        if self.above and certificate is not self.own:
            append(certificate.chain, self.own.chain)
        append(certificate.both, certificate.chain)
        append(certificate.both, certificate.key)
        for path in (certificate.key, certificate.both):
            os.chmod(path, 0o644)  # for servers that run as a user of their own
        return certificate

    def sign_for_yesterday(self, certificate):
        """What ended then; `openssl req` knows the future alone."""
        request = os.path.join(self.dir, "request")
        openssl("x509", "-x509toreq", "-in", certificate.chain, "-signkey", certificate.key, "-copy_extensions", "copyall", "-out", request)
        openssl("x509", "-req", "-in", request, *self.signature(), "-copy_extensions", "copyall", "-set_serial", "1", "-days", "-1",
                "-out", certificate.chain)

    def signs(self, name, subject, *extensions, **more):
        return self.make(Certificate(self.dir, name), subject, "basicConstraints=critical,CA:FALSE", *extensions,
                         signed=self.signature(), **more)

    def alone(self, name="alone", names=NAMES, **more):
        """A certificate of a server that nobody signed but itself."""
        return self.make(Certificate(self.dir, name), "/CN=" + name, "subjectAltName=" + names, **more)

    def server(self, name="server", names=NAMES, **more):
        """A certificate of a server, for these names."""
        return self.signs(name, "/CN=" + name, "subjectAltName=" + names, "extendedKeyUsage=serverAuth", **more)

    def client(self, name="client", **more):
        """A certificate that a client shows."""
        return self.signs(name, "/CN=" + name, "extendedKeyUsage=clientAuth", **more)
