# SPDX-License-Identifier: Apache-2.0
"""A path of a known length: a client's and a server's namespace with the relay as the wire between them.

All of a path is in it, as it is over a real one: the handshakes of TCP and of TLS, and acknowledgements.
"""

import ctypes
import fcntl
import os
import socket
import struct
import subprocess

import truth  # noqa: F401  isort: skip (it says where harness is)

from harness import BRUNT, Failed, Skip, at_end, equal, expect, need, pinned, stop_process
from namespace import Namespace

RELAY = os.path.join(os.path.dirname(BRUNT), "tests", "truth", "relay")
CLIENT, SERVER = "10.77.0.1", "10.77.0.2"
SIOCETHTOOL = 0x8946
OFFLOADS = (0x17, 0x1F, 0x24, 0x2C)  # ETHTOOL_STXCSUM, STSO, SGSO, SGRO


def ip(*words):
    done = subprocess.run([need("ip"), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10)
    if done.returncode:
        raise Skip("ip %s: %s" % (" ".join(words), done.stderr.strip()))


def offloads_off(interface):
    with socket.socket() as sock:
        for command in OFFLOADS:
            value = ctypes.create_string_buffer(struct.pack("II", command, 0))
            fcntl.ioctl(sock, SIOCETHTOOL, struct.pack("16sP16x", interface.encode(), ctypes.addressof(value)))


class Path:
    """Round trips take 2 * one_way_us. client, server: the namespaces at its ends, with the addresses CLIENT and SERVER."""

    def __init__(self, one_way_us, core=None):
        self.client, self.server = Namespace(), Namespace()
        self.end("c", self.client, CLIENT, "02:00:00:00:00:01", SERVER, "02:00:00:00:00:02")
        self.end("s", self.server, SERVER, "02:00:00:00:00:02", CLIENT, "02:00:00:00:00:01")
        self.core, self.one_way_us, self.relay = core, one_way_us, None

    def carry(self):
        """Opens the path, until measured()."""
        self.relay = subprocess.Popen(pinned([RELAY, "c0", "s0", str(self.one_way_us)], self.core), stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, text=True)
        relay = self.relay
        at_end(lambda: stop_process(relay))
        if relay.stdout.readline() != "ready\n":
            raise Failed("the relay did not start")

    @staticmethod
    def end(name, namespace, address, link, far_address, far_link):
        outer, inner = name + "0", name + "1"
        ip("link", "add", "name", outer, "type", "veth", "peer", "name", inner, "address", link)
        at_end(lambda: ip("link", "delete", outer))
        ip("link", "set", inner, "netns", "/proc/%d/fd/%d" % (os.getpid(), namespace.fd))
        ip("link", "set", outer, "up")
        with namespace.inside():
            ip("address", "add", address + "/24", "dev", inner)
            ip("link", "set", inner, "up")
            ip("neighbour", "add", far_address, "lladdr", far_link, "dev", inner)
            offloads_off(inner)

    def measured(self):
        """Closes it. The median ns of a round trip, as the relay measured each direction."""
        stop_process(self.relay)
        lines = [line.split() for line in self.relay.stdout.read().splitlines()]
        equal([line[:2] for line in lines], [["c0", "s0"], ["s0", "c0"]], "directions that the relay tells of")
        equal([line[3] for line in lines], ["0", "0"], "frames that the relay dropped")
        expect(all(int(line[2]) for line in lines), "the relay carried nothing")
        return sum(int(line[4]) for line in lines)
