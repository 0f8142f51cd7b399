# SPDX-License-Identifier: Apache-2.0
"""The faults of `brunt serve` as they come over the wire: a row for each, or more."""

import re

PAGE = 555

# How a connection goes on after the bytes.
NEXT, FIN, RESET, OPEN = "the next request", "the end", "a reset", "open and silent"
ABRUPT = "the end, over TLS without a word of it"


def head(status=200, reason="OK"):
    return b"HTTP/1.1 %d %s\r\nserver: brunt\r\n" % (status, reason.encode())


def pattern(n):
    return bytes(10 if i % 64 == 63 else 48 + i % 64 for i in range(n))


def sized(n):
    return b"content-length: %d\r\n\r\n" % n + pattern(n)


OK = head()
FIVE = b"content-length: 5\r\n"
HELLO = FIVE + b"\r\nhello"
CHUNKED = OK + b"transfer-encoding: chunked\r\n\r\n"
KIB = pattern(1024)


def redirect(to, status=302, reason="Found"):
    return head(status, reason) + b"location: " + to + b"\r\ncontent-length: 0\r\n\r\n"


# Name and query, the bytes or a pattern of them, how it goes on.
ROWS = [
    ("close-after?after=1", re.compile(rb"HTTP/1.1 200 OK\r\n.*\r\nconnection: close\r\n\r\n.{555}", re.S), FIN),
    ("close-after?after=2", re.compile(rb"HTTP/1.1 200 OK\r\n(?!.*connection:).*\r\n\r\n.{555}", re.S), NEXT),
    ("fin-after?after=1", re.compile(rb"HTTP/1.1 200 OK\r\n(?!.*connection:).*\r\n\r\n.{555}", re.S), FIN),
    ("reset-after?after=1&delay=5ms", re.compile(rb"HTTP/1.1 200 OK\r\n(?!.*connection:).*\r\n\r\n.{555}", re.S), RESET),
    ("empty", b"", FIN),
    ("reset", b"", RESET),
    ("silent", b"", OPEN),
    ("reset-body?bytes=100", OK + b"content-length: 100\r\n\r\n" + pattern(50), RESET),
    ("truncated", OK + b"content-length: 102400\r\n\r\n" + pattern(51200), FIN),
    ("stall?bytes=1k", OK + b"content-length: 1024\r\n\r\n" + pattern(512), OPEN),
    ("answer-silent", OK + sized(102400), OPEN),
    ("half-close", OK + sized(1024), FIN),
    ("cut-head", OK + b"content-le", FIN),
    ("stall-head", OK + b"content-le", OPEN),
    ("keep-alive-1.0?delay=300ms", b"HTTP/1.0 200 OK\r\n" + sized(1024), OPEN),
    ("keep-alive-1.0?delay=0", b"HTTP/1.0 200 OK\r\n" + sized(1024), FIN),
    ("no-keep-alive-1.0", b"HTTP/1.0 200 OK\r\n" + sized(1024), FIN),
    ("two-answers?bytes=10", (OK + sized(10)) * 2, NEXT),
    ("timeout-notice?delay=10ms",
     re.compile(rb"HTTP/1.1 200 OK\r\n.*\r\n\r\n.{555}HTTP/1.1 408 Request Timeout\r\nserver: brunt\r\n"
                rb"connection: close\r\ncontent-length: 0\r\n\r\n", re.S), FIN),

    ("bodiless", head(204, "No Content") + b"content-length: 5000\r\n\r\n", NEXT),
    ("bodiless?status=304", head(304, "Not Modified") + b"content-length: 5000\r\n\r\n", NEXT),
    ("bodiless?status=500&bytes=0", head(500, "Internal Server Error") + b"content-length: 0\r\n\r\n", NEXT),
    ("no-length?bytes=100k", OK + b"\r\n" + pattern(102400), FIN),
    ("no-length-open", OK + b"\r\n" + KIB, OPEN),
    ("no-length-slow?delay=1ms", OK + b"\r\n" + KIB, FIN),
    ("no-length-reset", OK + b"\r\n" + KIB, RESET),
    ("overlong?bytes=3", OK + b"content-length: 3\r\n\r\n0120123456789", NEXT),
    ("content-length-twice?bytes=7", OK + b"content-length: 7\r\n" + sized(7), NEXT),
    ("content-length-list?bytes=7", OK + b"content-length: 7, 7\r\n\r\n" + pattern(7), NEXT),
    ("content-length-differs?bytes=9", OK + b"content-length: 7\r\n" + sized(9), NEXT),
    ("content-length-bad", OK + b"content-length: five\r\n\r\nhello", NEXT),
    ("content-length-negative", OK + b"content-length: -5\r\n\r\nhello", NEXT),
    ("content-length-huge", OK + b"content-length: %d\r\n\r\nhello" % (2**64 + 5), NEXT),
    ("transfer-encoding-and-length",
     OK + b"transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n", NEXT),
    ("transfer-encoding-unknown", OK + b"transfer-encoding: rot13\r\n\r\nuryyb", FIN),
    ("varying?bytes=8&n=1", OK + sized(8), NEXT),
    ("varying?bytes=8&n=1", OK + sized(9), NEXT),
    ("varying?bytes=8&n=1", OK + sized(8), NEXT),
    ("slow-body?bytes=300&delay=1ms", OK + sized(300), NEXT),
    ("endless-body", re.compile(re.escape(CHUNKED) + rb"(400\r\n" + b"x{1024}" + rb"\r\n){99}", re.S), OPEN),

    ("chunked", CHUNKED + b"5\r\nhello\r\n" * 3 + b"0\r\n\r\n", NEXT),
    ("chunk-extensions", CHUNKED + b'5;a=b;c="d;\\"e"\r\nhello\r\n6 ; f\r\n world\r\n0;last\r\n\r\n', NEXT),
    ("chunk-upper", CHUNKED + b"1A\r\nabcdefghijklmnopqrstuvwxyz\r\nA\r\n0123456789\r\n0\r\n\r\n", NEXT),
    ("chunk-zeros", CHUNKED + b"0000000000000000000005\r\nhello\r\n0000000000000000000000\r\n\r\n", NEXT),
    ("chunk-bytes?n=5000", CHUNKED + b"1\r\nx\r\n" * 5000 + b"0\r\n\r\n", NEXT),
    ("chunk-trailers", CHUNKED + b"5\r\nhello\r\n0\r\nx-sum: 17\r\ncontent-length: 3\r\n\r\n", NEXT),
    ("chunk-lf", CHUNKED + b"5\nhello\n6\n world\n0\n\n", NEXT),
    ("chunked-twice", OK + b"transfer-encoding: chunked\r\n" * 2 + b"\r\n5\r\nhello\r\n0\r\n\r\n", NEXT),
    ("chunk-slow?delay=1ms&n=2", CHUNKED + b"5\r\nhello\r\n" * 2 + b"0\r\n\r\n", NEXT),
    ("chunk-bad", CHUNKED + b"5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n", NEXT),
    ("chunk-huge", CHUNKED + b"%x\r\nhello\r\n0\r\n\r\n" % (2**64 + 5), NEXT),
    ("chunk-overrun", CHUNKED + b"3\r\nhello\r\n0\r\n\r\n", NEXT),
    ("chunk-open", CHUNKED + b"5\r\nhello\r\n", OPEN),
    ("truncated-chunk", CHUNKED + b"5\r\nhello\r\n64\r\n world", FIN),
    ("truncated-last-chunk", CHUNKED + b"5\r\nhello\r\n", FIN),

    ("spaces", OK + b"content-length:        42  \t\r\n\r\n" + pattern(42), NEXT),
    ("header-case", OK + b"CONTENT-lENGTH:5\r\n\r\nhello", NEXT),
    ("big-header", OK + b"x-big: " + b"x" * 7900 + b"\r\n" + HELLO, NEXT),
    ("cookies", OK + b"".join(b"set-cookie: c%d=" % i + b"x" * 1000 + b"; path=/\r\n" for i in range(20)) + HELLO, NEXT),
    ("giant-head", OK + (b"x-fill: " + b"x" * 1014 + b"\r\n") * 1024 + HELLO, NEXT),
    ("endless-head", re.compile(re.escape(OK) + rb"(x-fill: " + b"x{1014}" + rb"\r\n){99}", re.S), OPEN),
    ("endless-header", re.compile(re.escape(OK) + b"x-fill: " + b"x{100000}", re.S), OPEN),
    ("slow-head?delay=1ms", b"HTTP/1.1 200 OK\r\n" + HELLO, NEXT),
    ("control-byte", OK + b"x-bell: ding\x07dong\r\n" + HELLO, NEXT),
    ("header-nul", OK + b"x-nul: a\0b\r\n" + HELLO, NEXT),
    ("header-latin1", OK + "x-name: Malkâ\r\n".encode("latin-1") + HELLO, NEXT),
    ("header-no-colon", OK + b"x-nothing\r\n" + HELLO, NEXT),
    ("header-no-name", OK + b": nothing\r\n" + HELLO, NEXT),
    ("header-space-colon", OK + b"content-length : 5\r\n\r\nhello", NEXT),
    ("header-fold", OK + b"x-long: one\r\n  two\r\n" + HELLO, NEXT),
    ("lf", b"HTTP/1.1 200 OK\ncontent-type: text/plain\ncontent-length: 5\n\nhello", NEXT),
    ("leading-lines", b"\r\n\r\nHTTP/1.1 200 OK\r\n" + HELLO, NEXT),
    ("no-reason", b"HTTP/1.1 200\r\n" + HELLO, NEXT),
    ("empty-reason", b"HTTP/1.1 200 \r\n" + HELLO, NEXT),
    ("status-lower", b"http/1.1 200 OK\r\n" + HELLO, NEXT),
    ("status-http2", b"HTTP/2.0 200 OK\r\n" + HELLO, NEXT),
    ("status-short", b"HTTP/1.1 20 OK\r\n" + HELLO, NEXT),
    ("status-word", b"HTTP/1.1 OK\r\n" + HELLO, NEXT),
    ("not-http", b"SSH-2.0-OpenSSH_9.2p1\r\n", FIN),
    ("http09", b"<html>hello</html>\n", FIN),

    ("interim?n=3",
     re.compile(rb"(HTTP/1.1 103 Early Hints\r\nserver: brunt\r\nx-interim: yes\r\n\r\n){3}HTTP/1.1 200 OK\r\n.*\r\n\r\n.{555}",
                re.S), NEXT),
    ("interim-only", head(100, "Continue") + b"\r\n", OPEN),
    ("interim-endless", re.compile(b"(" + re.escape(head(102, "Processing") + b"\r\n") + b"){99}", re.S), OPEN),
    ("switching", head(101, "Switching Protocols") + b"upgrade: chat\r\nconnection: upgrade\r\n\r\n", OPEN),
    ("early-answer", OK + sized(1024), NEXT),
    ("early-close", head(413, "Content Too Large") + b"connection: close\r\n" + sized(1024), FIN),
    ("early-reset", head(413, "Content Too Large") + b"connection: close\r\n" + sized(1024), RESET),
    ("early-deaf", head(413, "Content Too Large") + sized(1024), OPEN),
    ("deaf", b"", OPEN),

    ("refuse-after?n=0", head(503, "Service Unavailable") + b"content-length: 0\r\n\r\n", NEXT),
    ("refuse-after?n=0&status=429", head(429, "Too Many Requests") + b"content-length: 0\r\n\r\n", NEXT),
    ("delay-tail", re.compile(rb"HTTP/1.1 200 OK\r\n.*\r\n\r\n.{555}", re.S), NEXT),
    ("error-tail?every=1", head(500, "Internal Server Error") + b"content-length: 0\r\n\r\n", NEXT),

    ("redirect", redirect(b"/"), NEXT),
    ("redirect?n=3&status=307&to=%2Fbytes%2F9",
     redirect(b"/fault/redirect?n=2&status=307&to=%2Fbytes%2F9", 307, "Temporary Redirect"), NEXT),
    ("redirect?to=%2Fbytes%2F9%3Fx%26y", redirect(b"/bytes/9?x&y"), NEXT),
    ("redirect-self", redirect(b"/fault/redirect-self", 301, "Moved Permanently"), NEXT),
    ("redirect-loop", redirect(b"/fault/redirect-loop?n=2&status=302&at=2"), NEXT),
    ("redirect-loop?n=2&status=302&at=2", redirect(b"/fault/redirect-loop?n=2&status=302&at=1"), NEXT),
    ("redirect-empty", redirect(b""), NEXT),
    ("redirect-nowhere", head(302, "Found") + b"content-length: 0\r\n\r\n", NEXT),
    ("redirect-twice", head(302, "Found") + b"location: /bytes/1\r\nlocation: /bytes/2\r\ncontent-length: 0\r\n\r\n", NEXT),

    ("cookie-nameless", OK + b"set-cookie: =value\r\n" + HELLO, NEXT),
    ("cookie-foreign", OK + b"set-cookie: stray=1; domain=other.example\r\n" + HELLO, NEXT),
    ("cookie-dashes", OK + b"set-cookie: dashed=1; expires=Wed, 23-Aug-2023 10:00:00 GMT\r\n" + HELLO, NEXT),
    ("cookie-big", OK + b"set-cookie: big=" + b"x" * 5120 + b"\r\n" + HELLO, NEXT),
    ("cookie-bad", re.compile(re.escape(OK) + rb"set-cookie: =value\r\n(set-cookie: .*\r\n){3}set-cookie: good=yes; path=/\r\n" + HELLO),
     NEXT),

    ("gzip-not", OK + b"content-encoding: gzip\r\n" + HELLO, NEXT),
    ("encoding-unknown", OK + b"content-encoding: rot13\r\ncontent-length: 5\r\n\r\nuryyb", NEXT),

    ("basic", head(401, "Unauthorized") + b'www-authenticate: Basic realm="brunt", charset="UTF-8"\r\ncontent-length: 0\r\n\r\n',
     NEXT),
    ("digest?algorithm=SHA-256", head(401, "Unauthorized") + b'www-authenticate: Digest realm="brunt", nonce="'
     b'0f1e2d3c4b5a69788796a5b4c3d2e1f0", opaque="brunt", qop="auth", algorithm=SHA-256\r\ncontent-length: 0\r\n\r\n', NEXT),

    ("unclean", OK + sized(1024), ABRUPT),
    ("unclean-no-length", OK + b"\r\n" + KIB, ABRUPT),
    ("unclean-truncated", OK + b"content-length: 102400\r\n\r\n" + pattern(51200), ABRUPT),
    ("renew?delay=10ms", OK + sized(102400), NEXT),
]
