#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads a real tomcat: the totals are those of its access log."""

import sys

from harness import case, main
from matrix import add_matrix, add_socket, ended_by_server
from server import lines_page
from shapes import add_shapes
from tap import once
from tomcat import Tomcat

start = once(Tomcat)
add_matrix(start)
add_socket(start)
add_shapes(start, digest="/digest.jsp", gzip=("/lines.jsp?n=30", lines_page(30)[0]), pages={
    "/lines.jsp?n=3": lines_page(3),
    "/lines.jsp?n=40&flush": lines_page(40),
    "/lines.jsp?n=5000": lines_page(5000),
})


@case("connections that tomcat ends after 10 requests are opened again, with no failure")
def keepalive_requests():
    ended_by_server(Tomcat(keepalive_requests=10), 10)


sys.exit(main())
