/* SPDX-License-Identifier: Apache-2.0 */
#include "target/fault_table.h"

#include <assert.h>

#include "base/err.h"

/* One macro, one row a line: clang-format would make six of it. */
/* clang-format off */

/* Steps, as the rows write them. */
#define TEXT(literal)  { .op = FAULT_OP_TEXT, .text = { (literal), sizeof(literal) - 1 } }
#define HALF(literal)  { .op = FAULT_OP_TEXT, .text = { (literal), (sizeof(literal) - 1) / 2 } }
/* A head of its own making, up to where others go on; its status is for the log. */
#define ODD(status, literal) \
    { .op = FAULT_OP_TEXT, .given = (status), .text = { (literal), sizeof(literal) - 1 } }
#define HEAD(status)   { .op = FAULT_OP_HEAD, .number = FAULT_GIVEN, .given = (status) }
#define HEAD_STATUS    { .op = FAULT_OP_HEAD, .number = FAULT_STATUS }
#define NUMBER(which)  { .op = FAULT_OP_NUMBER, .number = (which) }
#define NUMBER_IS(n)   { .op = FAULT_OP_NUMBER, .number = FAULT_GIVEN, .given = (n) }
#define BODY           { .op = FAULT_OP_BODY }
#define FILL(which)    { .op = FAULT_OP_FILL, .number = (which) }
#define FILL_OF(n)     { .op = FAULT_OP_FILL, .number = FAULT_GIVEN, .given = (n) }
#define PAD(which)     { .op = FAULT_OP_PAD, .number = (which) }
#define PAD_OF(n)      { .op = FAULT_OP_PAD, .number = FAULT_GIVEN, .given = (n) }
#define PAGE           { .op = FAULT_OP_PAGE }
#define LAST_PAGE      { .op = FAULT_OP_PAGE, .given = 1 }
#define SELF           { .op = FAULT_OP_SELF }
#define TO             { .op = FAULT_OP_TO }
#define TIMES(which)   { .op = FAULT_OP_TIMES, .number = (which) }
#define LOOP           { .op = FAULT_OP_LOOP }
#define DRIP           { .op = FAULT_OP_DRIP }
#define PAUSE          { .op = FAULT_OP_PAUSE }
#define FIN            { .op = FAULT_OP_FIN }
#define HALF_CLOSE     { .op = FAULT_OP_HALF_CLOSE }
#define ABRUPT         { .op = FAULT_OP_ABRUPT }
#define RENEW          { .op = FAULT_OP_RENEW }
#define DIGEST         { .op = FAULT_OP_DIGEST }
#define RESET          { .op = FAULT_OP_RESET }
#define SILENT         { .op = FAULT_OP_SILENT }
#define DEAF           { .op = FAULT_OP_DEAF }
#define SCRIPT(...)    (const struct fault_step[]){ __VA_ARGS__, { .op = FAULT_OP_DONE } }
#define STEPS(...)     .steps = SCRIPT(__VA_ARGS__)
#define OTHERWISE(...) .otherwise = SCRIPT(__VA_ARGS__)

/* Good answers, whole or up to the body. */
#define OK             HEAD(200)
#define LENGTH(which)  TEXT("content-length: "), NUMBER(which), TEXT("\r\n")
#define LENGTH_IS(n)   TEXT("content-length: "), NUMBER_IS(n), TEXT("\r\n")
#define EMPTY          LENGTH_IS(0), BODY
#define SIZED          LENGTH(FAULT_BYTES), BODY, FILL(FAULT_BYTES)
#define CHUNKED        OK, TEXT("transfer-encoding: chunked\r\n"), BODY
#define FIVE           "content-length: 5\r\n"
#define HELLO          BODY, TEXT("hello")
#define LOCATION(...)  TEXT("location: "), __VA_ARGS__, TEXT("\r\n"), EMPTY
#define PACKED(coding, literal) \
    OK, TEXT("content-encoding: " coding "\r\n"), LENGTH_IS(sizeof(literal) - 1), BODY, TEXT(literal)

/* The first 1024 bytes of /bytes/N, packed: RFC 1951, and what RFC 1950 and 1952 put around it. */
#define DEFLATED                                                                                   \
    "\x33\x30\x34\x32\x36\x31\x35\x33\xb7\xb0\xb4\xb2\xb6\xb1\xb5\xb3\x77\x70\x74\x72\x76\x71\x75" \
    "\x73\xf7\xf0\xf4\xf2\xf6\xf1\xf5\xf3\x0f\x08\x0c\x0a\x0e\x09\x0d\x0b\x8f\x88\x8c\x8a\x8e\x89" \
    "\x8d\x8b\x4f\x48\x4c\x4a\x4e\x49\x4d\x4b\xcf\xc8\xcc\xca\xce\xc9\xcd\xe3\x32\x18\xd5\x3f\xaa" \
    "\x7f\x54\xff\x90\xd5\x0f\x00"
#define ZLIB      "\x78\xda" DEFLATED "\x95\xf5\x37\xc0"
#define GZIP_HEAD "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03"
#define GZIP      GZIP_HEAD DEFLATED "\xfa\xbc\x04\xc8\x00\x04\x00\x00"
#define GZIP_BAD  GZIP_HEAD DEFLATED "\xfb\xbc\x04\xc8\x00\x04\x00\x00"
/* RFC 7932. */
#define BROTLI                                                                                     \
    "\x1f\xff\x03\xf8\x8d\xd3\x15\x77\x75\x17\x16\xd1\xe2\x31\x9f\xd1\xfa\x61\x5a\x35\x38\x2f\x87" \
    "\x01\x38\x11\x2d\xc6\x13\xae\x17\x89\x45\xcd\x43\x4c\x19\x40\x84\x09\x65\x5c\x48\xa5\x8d\x75" \
    "\x3e\xc4\x94\x4b\x6d\x7d\x18\xa7\x79\x59\xb7\xfd\x38\xaf\xfb\x79\xbf\xbf\xd4\xd6\xc7\x5c\xfb" \
    "\xdc\xf7\x01"

const struct fault_row fault_table[] = {
    /* how a connection ends */
    { "close-after", "after=100", "the N-th answer of a connection says close, and is the last",
      STEPS(LAST_PAGE, FIN), .turn = FAULT_TURN_AFTER },
    { "fin-after", "after=100&delay=0", "the connection ends unannounced, the delay after its N-th answer",
      STEPS(PAGE, PAUSE, FIN), .turn = FAULT_TURN_AFTER },
    { "reset-after", "after=100&delay=0", "the connection is reset the delay after its N-th answer",
      STEPS(PAGE, PAUSE, RESET), .turn = FAULT_TURN_AFTER },
    { "empty", "delay=0", "no answer: the connection ends",
      STEPS(PAUSE, FIN) },
    { "reset", "delay=0", "no answer: the connection is reset",
      STEPS(PAUSE, RESET) },
    { "silent", "", "no answer: the connection stays open",
      STEPS(SILENT) },
    { "reset-body", "bytes=100k&delay=10ms", "half of the body, and the delay after it a reset",
      STEPS(OK, LENGTH(FAULT_BYTES), BODY, FILL(FAULT_HALF), PAUSE, RESET) },
    { "truncated", "bytes=100k", "half of the body, then the end",
      STEPS(OK, LENGTH(FAULT_BYTES), BODY, FILL(FAULT_HALF), FIN) },
    { "stall", "bytes=100k", "half of the body, then nothing; the connection stays open",
      STEPS(OK, LENGTH(FAULT_BYTES), BODY, FILL(FAULT_HALF), SILENT) },
    { "answer-silent", "bytes=100k", "a whole answer with a length, then nothing; the connection stays open",
      STEPS(OK, SIZED, SILENT) },
    { "half-close", "bytes=1k", "a whole answer and the end of the server's side; it reads on",
      STEPS(OK, SIZED, HALF_CLOSE) },
    { "cut-head", "", "half of a head, then the end",
      STEPS(OK, TEXT("content-le"), FIN) },
    { "stall-head", "", "half of a head, then nothing; the connection stays open",
      STEPS(OK, TEXT("content-le"), SILENT) },
    { "keep-alive-1.0", "bytes=1k&delay=15s", "HTTP/1.0 with a length; the end comes the delay later",
      STEPS(ODD(200, "HTTP/1.0 200 OK\r\n"), SIZED, PAUSE, FIN) },
    { "no-keep-alive-1.0", "bytes=1k", "HTTP/1.0 with a length, then the end",
      STEPS(ODD(200, "HTTP/1.0 200 OK\r\n"), SIZED, FIN) },
    { "two-answers", "bytes=1k&delay=0", "an answer, and the delay later one that nobody asked for",
      STEPS(OK, SIZED, PAUSE, OK, SIZED) },
    { "timeout-notice", "delay=1s", "an answer, and the delay later a 408 that nobody asked for, then the end",
      STEPS(PAGE, PAUSE, HEAD(408), TEXT("connection: close\r\n"), EMPTY, FIN) },

    /* where a body ends */
    { "bodiless", "status=204&bytes=5000", "a length and never a body: right for HEAD, 204, 304, and bytes=0",
      STEPS(HEAD_STATUS, LENGTH(FAULT_BYTES), BODY) },
    { "no-length", "bytes=1k", "no length, the end of the connection is the body's",
      STEPS(OK, BODY, FILL(FAULT_BYTES), FIN) },
    { "no-length-open", "bytes=1k", "no length, and the connection never ends",
      STEPS(OK, BODY, FILL(FAULT_BYTES), SILENT) },
    { "no-length-slow", "bytes=1k&piece=100&delay=20ms", "no length, in pieces with the delay between them, then the end",
      STEPS(OK, BODY, DRIP, FILL(FAULT_BYTES), FIN) },
    { "no-length-reset", "bytes=1k&delay=10ms", "no length, and the delay later a reset",
      STEPS(OK, BODY, FILL(FAULT_BYTES), PAUSE, RESET) },
    { "overlong", "bytes=1k", "ten bytes more than the length says",
      STEPS(OK, SIZED, TEXT("0123456789")) },
    { "content-length-twice", "bytes=1k", "the length twice, the same",
      STEPS(OK, LENGTH(FAULT_BYTES), SIZED) },
    { "content-length-list", "bytes=1k", "the length twice in one line, the same",
      STEPS(OK, TEXT("content-length: "), NUMBER(FAULT_BYTES), TEXT(", "), NUMBER(FAULT_BYTES), TEXT("\r\n"), BODY, FILL(FAULT_BYTES)) },
    { "content-length-differs", "bytes=1k", "two lengths that differ",
      STEPS(OK, LENGTH_IS(7), SIZED) },
    { "content-length-bad", "", "a length that is no number",
      STEPS(OK, TEXT("content-length: five\r\n"), HELLO) },
    { "content-length-negative", "", "a length below zero",
      STEPS(OK, TEXT("content-length: -5\r\n"), HELLO) },
    { "content-length-huge", "", "a length of 2^64 + 5",
      STEPS(OK, TEXT("content-length: 18446744073709551621\r\n"), HELLO) },
    { "transfer-encoding-and-length", "", "chunked, and a length that is wrong",
      STEPS(OK, TEXT("transfer-encoding: chunked\r\ncontent-length: 3\r\n"), BODY, TEXT("5\r\nhello\r\n0\r\n\r\n")) },
    { "transfer-encoding-unknown", "", "a transfer coding that is none, then the end",
      STEPS(OK, TEXT("transfer-encoding: rot13\r\n"), BODY, TEXT("uryyb"), FIN) },
    { "varying", "bytes=812&n=232", "another length each time, from bytes to bytes + n",
      STEPS(OK, LENGTH(FAULT_VARIED), BODY, FILL(FAULT_VARIED)) },
    { "slow-body", "bytes=1k&piece=100&delay=20ms", "the body in pieces with the delay between them",
      STEPS(OK, LENGTH(FAULT_BYTES), BODY, DRIP, FILL(FAULT_BYTES)) },
    { "endless-body", "", "chunks without end",
      STEPS(CHUNKED, TIMES(FAULT_EVER), TEXT("400\r\n"), PAD_OF(1024), TEXT("\r\n"), LOOP) },

    /* chunks */
    { "chunked", "n=3", "N good chunks",
      STEPS(CHUNKED, TIMES(FAULT_N), TEXT("5\r\nhello\r\n"), LOOP, TEXT("0\r\n\r\n")) },
    { "chunk-extensions", "", "chunks with extensions",
      STEPS(CHUNKED, TEXT("5;a=b;c=\"d;\\\"e\"\r\nhello\r\n6 ; f\r\n world\r\n0;last\r\n\r\n")) },
    { "chunk-upper", "", "sizes in upper-case digits",
      STEPS(CHUNKED, TEXT("1A\r\nabcdefghijklmnopqrstuvwxyz\r\nA\r\n0123456789\r\n0\r\n\r\n")) },
    { "chunk-zeros", "", "sizes with leading zeros",
      STEPS(CHUNKED, TEXT("0000000000000000000005\r\nhello\r\n0000000000000000000000\r\n\r\n")) },
    { "chunk-bytes", "n=100", "N chunks of one byte",
      STEPS(CHUNKED, TIMES(FAULT_N), TEXT("1\r\nx\r\n"), LOOP, TEXT("0\r\n\r\n")) },
    { "chunk-trailers", "", "trailers behind the last chunk",
      STEPS(CHUNKED, TEXT("5\r\nhello\r\n0\r\nx-sum: 17\r\ncontent-length: 3\r\n\r\n")) },
    { "chunk-lf", "", "chunk lines that end in a bare line feed",
      STEPS(CHUNKED, TEXT("5\nhello\n6\n world\n0\n\n")) },
    { "chunked-twice", "", "transfer-encoding: chunked in two lines, the body chunked once",
      STEPS(OK, TEXT("transfer-encoding: chunked\r\n"), TEXT("transfer-encoding: chunked\r\n"), BODY, TEXT("5\r\nhello\r\n0\r\n\r\n")) },
    { "chunk-slow", "n=5&piece=1&delay=20ms", "N chunks in pieces with the delay between them",
      STEPS(CHUNKED, DRIP, TIMES(FAULT_N), TEXT("5\r\nhello\r\n"), LOOP, TEXT("0\r\n\r\n")) },
    { "chunk-bad", "", "a size that is no number",
      STEPS(CHUNKED, TEXT("5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n")) },
    { "chunk-huge", "", "a size of 2^64 + 5",
      STEPS(CHUNKED, TEXT("10000000000000005\r\nhello\r\n0\r\n\r\n")) },
    { "chunk-overrun", "", "a chunk longer than its size",
      STEPS(CHUNKED, TEXT("3\r\nhello\r\n0\r\n\r\n")) },
    { "chunk-open", "", "no last chunk; the connection stays open",
      STEPS(CHUNKED, TEXT("5\r\nhello\r\n"), SILENT) },
    { "truncated-chunk", "", "half of a chunk, then the end",
      STEPS(CHUNKED, TEXT("5\r\nhello\r\n64\r\n world"), FIN) },
    { "truncated-last-chunk", "", "whole chunks without the last, then the end",
      STEPS(CHUNKED, TEXT("5\r\nhello\r\n"), FIN) },

    /* heads */
    { "spaces", "", "content-length with many blanks before its value",
      STEPS(OK, TEXT("content-length:        42  \t\r\n"), BODY, FILL_OF(42)) },
    { "header-case", "", "names in odd letters, no blank before the value",
      STEPS(OK, TEXT("CONTENT-lENGTH:5\r\n"), HELLO) },
    { "big-header", "bytes=7900", "one header with a value of that size",
      STEPS(OK, TEXT("x-big: "), PAD(FAULT_BYTES), TEXT("\r\n"), TEXT(FIVE), HELLO) },
    { "cookies", "bytes=20k", "so many bytes of cookies, 1 KiB each",
      STEPS(OK, TIMES(FAULT_LINES), TEXT("set-cookie: c"), NUMBER(FAULT_ROUND), TEXT("="), PAD_OF(1000), TEXT("; path=/\r\n"), LOOP, TEXT(FIVE), HELLO) },
    { "giant-head", "bytes=1m", "a head of that size, in lines of 1 KiB",
      STEPS(OK, TIMES(FAULT_LINES), TEXT("x-fill: "), PAD_OF(FAULT_LINE_BYTES - 10), TEXT("\r\n"), LOOP, TEXT(FIVE), HELLO) },
    { "endless-head", "", "header lines without end",
      STEPS(OK, TIMES(FAULT_EVER), TEXT("x-fill: "), PAD_OF(FAULT_LINE_BYTES - 10), TEXT("\r\n"), LOOP) },
    { "endless-header", "", "one header without end",
      STEPS(OK, TEXT("x-fill: "), PAD(FAULT_EVER)) },
    { "slow-head", "piece=1&delay=20ms", "the whole answer in pieces with the delay between them",
      STEPS(DRIP, ODD(200, "HTTP/1.1 200 OK\r\n" FIVE), HELLO) },
    { "control-byte", "", "a control byte in a header",
      STEPS(OK, TEXT("x-bell: ding\x07" "dong\r\n" FIVE), HELLO) },
    { "header-nul", "", "a zero byte in a header",
      STEPS(OK, TEXT("x-nul: a\0b\r\n" FIVE), HELLO) },
    { "header-latin1", "", "a byte above 127 in a header",
      STEPS(OK, TEXT("x-name: Malk\xe2\r\n" FIVE), HELLO) },
    { "header-no-colon", "", "a header line without a colon",
      STEPS(OK, TEXT("x-nothing\r\n" FIVE), HELLO) },
    { "header-no-name", "", "a header line that begins with its colon",
      STEPS(OK, TEXT(": nothing\r\n" FIVE), HELLO) },
    { "header-space-colon", "", "a blank between the name and the colon of content-length",
      STEPS(OK, TEXT("content-length : 5\r\n"), HELLO) },
    { "header-fold", "", "a header folded over two lines",
      STEPS(OK, TEXT("x-long: one\r\n  two\r\n" FIVE), HELLO) },
    { "lf", "", "a head whose lines end in a bare line feed",
      STEPS(ODD(200, "HTTP/1.1 200 OK\ncontent-type: text/plain\ncontent-length: 5\n\nhello")) },
    { "leading-lines", "", "empty lines before the answer",
      STEPS(ODD(200, "\r\n\r\nHTTP/1.1 200 OK\r\n" FIVE), HELLO) },
    { "no-reason", "", "a status line that ends with the number",
      STEPS(ODD(200, "HTTP/1.1 200\r\n" FIVE), HELLO) },
    { "empty-reason", "", "a status line that ends with the blank behind the number",
      STEPS(ODD(200, "HTTP/1.1 200 \r\n" FIVE), HELLO) },
    { "status-lower", "", "http/1.1 in small letters",
      STEPS(ODD(200, "http/1.1 200 OK\r\n" FIVE), HELLO) },
    { "status-http2", "", "HTTP/2.0 in an answer of HTTP/1.1",
      STEPS(ODD(200, "HTTP/2.0 200 OK\r\n" FIVE), HELLO) },
    { "status-short", "", "a status of two digits",
      STEPS(ODD(20, "HTTP/1.1 20 OK\r\n" FIVE), HELLO) },
    { "status-word", "", "a word where the status belongs",
      STEPS(ODD(0, "HTTP/1.1 OK\r\n" FIVE), HELLO) },
    { "not-http", "", "something else altogether, then the end",
      STEPS(TEXT("SSH-2.0-OpenSSH_9.2p1\r\n"), FIN) },
    { "http09", "", "a body and nothing else, then the end",
      STEPS(TEXT("<html>hello</html>\n"), FIN) },

    /* before the final answer, and before the request is read */
    { "interim", "status=103&n=1", "N interim answers first",
      STEPS(TIMES(FAULT_N), HEAD_STATUS, TEXT("x-interim: yes\r\n\r\n"), LOOP, PAGE) },
    { "interim-only", "status=100", "an interim answer, then nothing; the connection stays open",
      STEPS(HEAD_STATUS, TEXT("\r\n"), SILENT) },
    { "interim-endless", "status=102", "interim answers without end",
      STEPS(TIMES(FAULT_EVER), HEAD_STATUS, TEXT("\r\n"), LOOP) },
    { "switching", "", "101 to who did not ask",
      STEPS(HEAD(101), TEXT("upgrade: chat\r\nconnection: upgrade\r\n\r\n"), SILENT) },
    { "early-answer", "status=200&bytes=1k", "the answer before the request's body, which is read and dropped",
      STEPS(HEAD_STATUS, SIZED), .early = true },
    { "early-close", "status=413&bytes=1k", "the answer before the request's body, then the end",
      STEPS(HEAD_STATUS, TEXT("connection: close\r\n"), SIZED, FIN), .early = true },
    { "early-reset", "status=413&bytes=1k&delay=10ms", "the answer before the request's body, and the delay later a reset",
      STEPS(HEAD_STATUS, TEXT("connection: close\r\n"), SIZED, PAUSE, RESET), .early = true },
    { "early-deaf", "status=413&bytes=1k", "the answer before the request's body, which is never read",
      STEPS(HEAD_STATUS, SIZED, DEAF), .early = true },
    { "deaf", "", "no answer, and the request's body is never read",
      STEPS(DEAF), .early = true },

    /* load */
    { "refuse-after", "n=100&delay=10ms&status=503", "refused at once while N are in work, the page after the delay otherwise",
      STEPS(HEAD_STATUS, EMPTY), OTHERWISE(PAUSE, PAGE), .turn = FAULT_TURN_BUSY },
    { "delay-tail", "every=50&delay=8s", "each of so many is held for the delay, the others get the page at once",
      STEPS(PAUSE, PAGE), .turn = FAULT_TURN_EVERY },
    { "error-tail", "every=50&status=500", "each of so many is an error, the others get the page",
      STEPS(HEAD_STATUS, EMPTY), .turn = FAULT_TURN_EVERY },

    /* redirects */
    { "redirect", "n=1&status=302&to=/", "a chain of N redirects that ends at a place of any form",
      STEPS(HEAD_STATUS, LOCATION(TO)) },
    { "redirect-self", "status=301", "a redirect to itself",
      STEPS(HEAD_STATUS, LOCATION(SELF)) },
    { "redirect-loop", "n=2&at=1&status=302", "a ring of N redirects",
      STEPS(HEAD_STATUS, LOCATION(TEXT("/fault/redirect-loop?n="), NUMBER(FAULT_N), TEXT("&status="), NUMBER(FAULT_STATUS), TEXT("&at="), NUMBER(FAULT_NEXT))) },
    { "redirect-empty", "status=302", "a redirect with an empty place",
      STEPS(HEAD_STATUS, LOCATION(TEXT(""))) },
    { "redirect-nowhere", "status=302", "a redirect without a place",
      STEPS(HEAD_STATUS, EMPTY) },
    { "redirect-twice", "status=302", "a redirect to two places",
      STEPS(HEAD_STATUS, TEXT("location: /bytes/1\r\n"), LOCATION(TEXT("/bytes/2"))) },

    /* cookies */
    { "cookie-nameless", "", "a cookie without a name",
      STEPS(OK, TEXT("set-cookie: =value\r\n" FIVE), HELLO) },
    { "cookie-foreign", "", "a cookie for another site",
      STEPS(OK, TEXT("set-cookie: stray=1; domain=other.example\r\n" FIVE), HELLO) },
    { "cookie-dashes", "", "a cookie whose date has dashes",
      STEPS(OK, TEXT("set-cookie: dashed=1; expires=Wed, 23-Aug-2023 10:00:00 GMT\r\n" FIVE), HELLO) },
    { "cookie-big", "bytes=5k", "a cookie with a value of that size",
      STEPS(OK, TEXT("set-cookie: big="), PAD(FAULT_BYTES), TEXT("\r\n" FIVE), HELLO) },
    { "cookie-bad", "bytes=5k", "all of these, and a good cookie last",
      STEPS(OK, TEXT("set-cookie: =value\r\nset-cookie: stray=1; domain=other.example\r\n"
                     "set-cookie: dashed=1; expires=Wed, 23-Aug-2023\r\nset-cookie: big="), PAD(FAULT_BYTES),
            TEXT("\r\nset-cookie: good=yes; path=/\r\n" FIVE), HELLO) },

    /* codings of the body, which is 1024 bytes as /bytes/1k has them */
    { "gzip", "", "gzip",
      STEPS(PACKED("gzip", GZIP)) },
    { "gzip-trailing", "", "gzip with rubbish behind its end",
      STEPS(PACKED("gzip", GZIP "rubbish")) },
    { "gzip-cut", "", "half of a gzip body, and a length that agrees",
      STEPS(OK, TEXT("content-encoding: gzip\r\n"), LENGTH_IS((sizeof(GZIP) - 1) / 2), BODY, HALF(GZIP)) },
    { "gzip-bad", "", "gzip with a wrong checksum",
      STEPS(PACKED("gzip", GZIP_BAD)) },
    { "gzip-not", "", "said to be gzip, and is not",
      STEPS(OK, TEXT("content-encoding: gzip\r\n" FIVE), HELLO) },
    { "gzip-chunked", "", "gzip in chunks",
      STEPS(OK, TEXT("content-encoding: gzip\r\ntransfer-encoding: chunked\r\n"), BODY, TEXT("a\r\n" GZIP_HEAD "\r\n4c\r\n" DEFLATED "\r\n8\r\n\xfa\xbc\x04\xc8\x00\x04\x00\x00\r\n0\r\n\r\n")) },
    { "truncated-gzip", "", "half of a gzip body, then the end",
      STEPS(OK, TEXT("content-encoding: gzip\r\n"), LENGTH_IS(sizeof(GZIP) - 1), BODY, HALF(GZIP), FIN) },
    { "deflate-raw", "", "deflate without a header",
      STEPS(PACKED("deflate", DEFLATED)) },
    { "deflate-zlib", "", "deflate with the header of zlib, as it should be",
      STEPS(PACKED("deflate", ZLIB)) },
    { "br", "", "brotli",
      STEPS(PACKED("br", BROTLI)) },
    { "encoding-unknown", "", "a coding that is none",
      STEPS(OK, TEXT("content-encoding: rot13\r\n" FIVE), BODY, TEXT("uryyb")) },

    /* who asks */
    { "basic", "user=u&pass=p", "401 without the name and the password (Basic), the page with them",
      STEPS(HEAD(401), TEXT("www-authenticate: Basic realm=\"brunt\", charset=\"UTF-8\"\r\n"), EMPTY), .turn = FAULT_TURN_BASIC },
    { "digest", "user=u&pass=p&algorithm=MD5", "401 without the name and the password (Digest), the page with them",
      STEPS(HEAD(401), TEXT("www-authenticate: "), DIGEST, TEXT("\r\n"), EMPTY), .turn = FAULT_TURN_DIGEST },

    /* TLS; without it they are as their neighbours above */
    { "unclean", "bytes=1k", "a length and the whole body, then the end without a close_notify",
      STEPS(OK, SIZED, ABRUPT) },
    { "unclean-no-length", "bytes=1k", "no length, and the end without a close_notify",
      STEPS(OK, BODY, FILL(FAULT_BYTES), ABRUPT) },
    { "unclean-truncated", "bytes=100k", "half of the body, then the end without a close_notify",
      STEPS(OK, LENGTH(FAULT_BYTES), BODY, FILL(FAULT_HALF), ABRUPT) },
    { "renew", "bytes=100k&delay=0", "a wish for other keys (1.3) or another handshake (1.2), the head, the delay, another wish, the body",
      STEPS(RENEW, OK, LENGTH(FAULT_BYTES), BODY, PAUSE, RENEW, FILL(FAULT_BYTES)) },
};
/* clang-format on */

const size_t fault_table_count = COUNT_OF(fault_table);

static_assert(COUNT_OF(fault_table) <= FAULT_TABLE_MAX, "there is a counter for each row");

const struct fault_row *fault_table_find(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(fault_table); i++) {
        if (str_eq(name, str_of(fault_table[i].name))) {
            return &fault_table[i];
        }
    }
    return NULL;
}
