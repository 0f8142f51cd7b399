# SPDX-License-Identifier: Apache-2.0
"""Network namespaces of a test's own: what is changed inside does not exist outside, and ends with it."""

import contextlib
import ctypes
import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys

from tap import at_end, main

SIOCSIFFLAGS, IFF_UP = 0x8914, 1
INSIDE = "BRUNT_TEST_INSIDE"


def unshared():
    """The arguments that put a program into a network namespace of its own, or None and why."""
    program = shutil.which("unshare")
    if not program:
        return None, "unshare is not installed"
    why = ""
    for flags in (["-n"], ["-rn"]):
        try_it = subprocess.run([program] + flags + ["true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
        if try_it.returncode == 0:
            return [program] + flags, ""
        why = try_it.stderr.decode().strip()
    return None, "no network namespace: " + why


def raise_loopback():
    with socket.socket() as sock:
        fcntl.ioctl(sock, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def main_inside(prepare, seconds=300):
    """main(), run again in a namespace of its own after prepare() in there; gives the exit code."""
    if os.environ.get(INSIDE):
        raise_loopback()
        prepare()
        return main()
    prefix, why = unshared()
    if prefix is None:
        print("1..0 # SKIP " + why)
        return 0
    done = subprocess.run(prefix + [sys.executable] + sys.orig_argv[1:], env=dict(os.environ, **{INSIDE: "1"}), stdin=subprocess.DEVNULL,
                          timeout=seconds)
    return done.returncode


CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    """os.setns() and os.unshare() come with Python 3.12."""
    if getattr(_libc, name)(*arguments):
        raise OSError(ctypes.get_errno(), name)


def this_one():
    """A descriptor of the namespace that this thread is in."""
    return os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)


class Namespace:
    """One more, beside that of the test, which ends with the case. Needs main_inside()."""

    def __init__(self):
        self.home = this_one()
        call("unshare", CLONE_NEWNET)
        self.fd = this_one()
        raise_loopback()
        call("setns", self.home, CLONE_NEWNET)
        at_end(self.close)

    def close(self):
        os.close(self.fd)
        os.close(self.home)

    @contextlib.contextmanager
    def inside(self):
        """What is started or connected meanwhile is in there."""
        call("setns", self.fd, CLONE_NEWNET)
        try:
            yield
        finally:
            call("setns", self.home, CLONE_NEWNET)
