#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads a real lighttpd: the totals are those of its access log."""

import sys

from harness import case, main
from lighttpd import Lighttpd
from matrix import add_matrix, add_socket, ended_by_server
from server import lines_page
from shapes import add_shapes
from tap import once

# Answers of scripts go out as they come.
DYNAMIC = """
server.stream-response-body = 2
$HTTP["url"] =~ "^/cgi/" { cgi.assign = (".sh" => "/bin/sh") }
$HTTP["url"] =~ "^/list/" { dir-listing.activate = "enable" }
deflate.mimetypes = ("text/")
deflate.allowed-encodings = ("gzip", "deflate")
"""

add_matrix(once(Lighttpd))
add_socket(once(Lighttpd))
dynamic = once(lambda: Lighttpd(modules=["mod_cgi", "mod_deflate", "mod_dirlisting"], more=DYNAMIC))
add_shapes(dynamic, digest="/cgi/digest.sh", pages={"/cgi/lines.sh?3": lines_page(3), "/cgi/lines.sh?5000": lines_page(5000)})


@case("connections that lighttpd ends after 10 requests are opened again, with no failure")
def keepalive_requests():
    ended_by_server(Lighttpd(keepalive_requests=10), 10)


sys.exit(main())
