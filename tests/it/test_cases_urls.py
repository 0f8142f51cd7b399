#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Public bug reports on URLs, headers, redirects and cookies, and others of their kinds: CASES.md has the list."""

import re
import sys

from harness import Script, add_case, always, answer, between, brunt, case, equal, expect, good_load, load, main

# Case 10: what is typed, then the request line and the Host that must come of it. AT stands for
# 127.0.0.1 and the server's port, PORT for the port alone; whatever the host, the connection goes to
# the server.
URLS = [
    ("http://AT", "/", "AT"),
    ("HTTP://AT/", "/", "AT"),
    ("AT", "/", "AT"),
    ("http://LOCALHOST:PORT/", "/", "localhost:PORT"),
    ("http://a.test/x", "/x", "a.test"),
    ("http://a.test:80/x", "/x", "a.test"),
    ("http://a.test:0080/x", "/x", "a.test"),
    ("http://a.test.:81/x", "/x", "a.test.:81"),
    ("http://a_b.test/", "/", "a_b.test"),
    ("http://[::1]:8080/", "/", "[::1]:8080"),
    ("http://[0:0:0:0:0:0:0:1]/", "/", "[0:0:0:0:0:0:0:1]"),
    ("http://[::ffff:127.0.0.1]:81/", "/", "[::ffff:127.0.0.1]:81"),
    ("http://[fe80::1%25lo]:81/", "/", "[fe80::1]:81"),
    ("http://m\u00fcnchen.test:81/", "/", "xn--mnchen-3ya.test:81"),
    ("http://M\u00dcNCHEN.test/", "/", "xn--mnchen-3ya.test"),
    ("m\u00fcnchen.test/x", "/x", "xn--mnchen-3ya.test"),
    ("http://\u65e5\u672c\u8a9e\u3002jp/", "/", "xn--wgv71a119e.jp"),
    ("http://fa\u00df.test/", "/", "xn--fa-hia.test"),
    ("http://u:p@b\u00fccher.test:PORT/", "/", "xn--bcher-kva.test:PORT"),
    ("http://xn--mnchen-3ya.test/", "/", "xn--mnchen-3ya.test"),
    ("http://AT?x=1", "/?x=1", "AT"),
    ("http://AT/?", "/?", "AT"),
    ("http://AT#frag", "/", "AT"),
    ("http://AT/a?b#c?d", "/a?b", "AT"),
    ("http://AT/a b?q=\u00fc#frag", "/a%20b?q=%C3%BC", "AT"),
    ("http://AT/a%20b%2Fc?%C3%BC", "/a%20b%2Fc?%C3%BC", "AT"),
    ("http://AT/100%", "/100%25", "AT"),
    ("http://AT/%zz%4", "/%25zz%254", "AT"),
    ("http://AT/\u65e5\u672c?q=\u65e5 \u672c", "/%E6%97%A5%E6%9C%AC?q=%E6%97%A5%20%E6%9C%AC", "AT"),
    ("http://AT/<\"{|}^`>", "/%3C%22%7B%7C%7D%5E%60%3E", "AT"),
    ("http://AT/[]'!$&()*+,;=:@~", "/[]'!$&()*+,;=:@~", "AT"),
    ("http://AT/../a/./b//c", "/../a/./b//c", "AT"),
    ("http://AT/http://other.test/", "/http://other.test/", "AT"),
    ("http://AT/?u=http://x@y/", "/?u=http://x@y/", "AT"),
    ("http://AT?x=a@b", "/?x=a@b", "AT"),
    ("  http://AT/x  ", "/x", "AT"),
    ("http://AT/" + "a" * 20000, "/" + "a" * 20000, "AT"),
]


def filled(text, server):
    return text.replace("AT", "127.0.0.1:PORT").replace("PORT", str(server.port))


def asked(url, *options):
    """The lines of the one request that came, and what Authorization held."""
    server = Script(always(answer()))
    run = good_load(filled(url, server), "--connect-to", "::127.0.0.1:%d" % server.port, "-c", "1", "-n", "1", *options)
    equal(server.requests, 1, "requests", run)
    return server, server.heads[0].decode("latin-1").split("\r\n")


def values(lines, name):
    return [line.split(":", 1)[1].strip() for line in lines[1:] if line.split(":")[0].lower() == name]


def form(url, target, host):
    server, lines = asked(url)
    equal(lines[0], "GET %s HTTP/1.1" % target, "request line")
    equal(values(lines, "host"), [filled(host, server)], "Host", lines)


for _url, _target, _host in URLS:
    add_case("case 10: %s" % _url[:60].replace("#", "(hash)"), form, _url, _target, _host)

@case("case 10: --resolve and --connect-to know a host beyond ASCII by both of its names")
def both_names():
    for url in ("http://m\u00fcnchen.test:%d/", "http://xn--mnchen-3ya.test:%d/"):
        for name in ("M\u00fcnchen.test", "xn--MNCHEN-3ya.test"):
            server = Script(always(answer()))
            good_load(url % server.port, "--resolve", "%s:%d:127.0.0.1" % (name, server.port), "-c", "1", "-n", "1")
            good_load(url % 81, "--connect-to", "%s:81:127.0.0.1:%d" % (name, server.port), "-c", "1", "-n", "1")
            equal([values(head.decode().split("\r\n"), "host")[0].split(":")[0] for head in server.heads], ["xn--mnchen-3ya.test"] * 2,
                  "Hosts of %s with %s" % (url, name))


# User information: what the Basic word must hold, as base64.
USERS = [("u:p", "dTpw"), ("u", "dTo="), (":p", "OnA="), ("u:", "dTo="), ("u:p:q", "dTpwOnE="), ("a@b:c", "YUBiOmM="), ("u:p%40s", "dTpwQHM="),
         ("\u00fc:\u00df", "w7w6w58="), ("u:p%20q", "dTpwIHE=")]


@case("case 10: user information becomes Basic auth and no part of Host, whatever it holds")
def user_information():
    for user, word in USERS:
        server, lines = asked("http://%s@AT/x" % user)
        equal(values(lines, "authorization"), ["Basic " + word], "Authorization of %s" % user, lines)
        equal(values(lines, "host"), [filled("AT", server)], "Host of %s" % user, lines)
        equal(lines[0], "GET /x HTTP/1.1", "request line of %s" % user)
    _, lines = asked("http://@AT/")
    equal(values(lines, "authorization"), [], "Authorization of an empty name", lines)


# No URL at all, or none that can be meant: words that the line must hold.
NO_URLS = [("htt", ["htt"]), ("http", ["http://"]), ("http:", ["http://"]), ("http:/127.0.0.1/", ["http://"]),
           ("http:127.0.0.1:80", ["http://"]), ("https:127.0.0.1", ["https://"]), ("http:\\\\127.0.0.1", ["http://"]),
           ("http//127.0.0.1/", ["http://"]), ("//127.0.0.1/", ["host"]), ("http:///127.0.0.1/", ["host"]), ("ws://127.0.0.1/", ["ws"]),
           ("file:///etc/passwd", ["file"]), ("http://::1:80/", ["brackets"]), ("::1", ["brackets"]), ("http://127.0.0.1: 80/", ["port"]),
           ("http://127.0.0.1:+80/", ["port"]), ("http://127.0.0.1:-1/", ["port"]), ("http://127.1/", ["127.1"]),
           ("http://256.0.0.1/", ["256.0.0.1"]), ("http://a..b/", ["a..b"]), ("http://%31.0.0.1/", ["%"]), ("http://u:p%00@a.test/", ["user"]),
           ("http://" + "a" * 64 + ".test/", ["63"]), ("http://127.0.0.1/" + "a" * 70000, ["longer"]), ("http://127.0.0.1/a\x7fb", ["0x7f"]),
           ("http://mu\u0308nchen.test/", ["punycode"]), ("http://a\u200bb.test/", ["punycode"])]


@case("case 10: what is no URL ends in exit 2 with a line that says why")
def no_urls():
    for url, words in NO_URLS:
        run = brunt("run", "--no-store", "-n", "1", url, timeout=15)
        equal((run.code, run.out), (2, ""), "exit code and stdout of %r" % url[:60], run)
        equal(len(run.err.splitlines()), 1, "lines on stderr of %r" % url[:60], run)
        for word in words:
            expect(word in run.err, "%r: the line names %r" % (url[:60], word), run)
        expect("u:p" not in run.err, "a password is shown", run)


# Case 11: a header of the user's replaces, and is sent once.

REPLACED = [
    (["-H", "Host: a.test"], "host", "a.test"),
    (["-H", "HOST:   a.test  "], "host", "a.test"),
    (["-H", "host: a.test", "--host", "b.test"], "host", "a.test"),
    (["-H", "uSER-aGENT: mine"], "user-agent", "mine"),
    (["-H", " Accept : text/plain"], "accept", "text/plain"),
    (["-H", "connection: x"], "connection", "x"),
    (["--close", "-H", "connection: x"], "connection", "x"),
    (["--http", "1.0", "-H", "CONNECTION: x"], "connection", "x"),
    (["-u", "a:b", "-H", "authorization: Bearer z"], "authorization", "Bearer z"),
    (["--data", "abc", "-H", "content-length: 3"], "content-length", "3"),
    (["--data", "abc", "-H", "CONTENT-TYPE: a/b"], "content-type", "a/b"),
    (["-H", "X-Colons: a: b"], "x-colons", "a: b"),
]


@case("case 11: a header of the user's is sent once and in place of brunt's, in any letter case")
def replaced():
    for options, name, value in REPLACED:
        server = Script(lambda talk: [talk.drop_body(head) or talk.send(answer()) for head in iter(talk.request, None)])
        run = good_load(server.url, "-c", "1", "-n", "1", *options)
        lines = server.heads[0].decode("latin-1").split("\r\n")
        equal(values(lines, name), [value], "%s with %s" % (name, options), run)
        equal(len({line.split(":")[0].lower() for line in lines[1:]}), len(lines) - 1, "names that differ with %s" % options, lines)


@case("case 11: an empty header removes brunt's own, and two Hosts are refused")
def removed():
    for option, name in (("Host:", "host"), ("User-Agent:", "user-agent"), ("accept:", "accept")):
        _, lines = asked("http://AT/", "-H", option)
        equal(values(lines, name), [], "%s with %s" % (name, option), lines)
    for options in (["-H", "Host: a", "-H", "host: b"], ["-H", "Content-Length: 9", "--data", "a"], ["-H", "Transfer-Encoding: chunked"]):
        run = brunt("run", "--no-store", "-n", "1", *options, "http://127.0.0.1:1/")
        equal((run.code, run.out), (2, ""), "exit code and stdout of %s" % options, run)


# Case 12: redirects that lead nowhere.


def moves(where):
    """Answers each path with the Location that where(path) gives, or with 200 when that is None."""

    def play(talk):
        while True:
            head = talk.request()
            if head is None:
                return
            to = where(head.split()[1].decode())
            if not talk.send(answer(b"here") if to is None else answer(b"", 301, ["Location: " + to])):
                return

    return play


TRAPS = {
    "to itself": lambda path: path,
    "between two": lambda path: "/b" if path == "/a" else "/a",
    "to ever new places": lambda path: path + "x",
    "with an empty Location": lambda path: "",
    "to another scheme": lambda path: "gopher://127.0.0.1/",
}


def trapped(where):
    for options in (["-n", "6"], ["-d", "500ms", "--warmup", "0"]):
        server = Script(moves(where))
        run = load(server.url, "-L", "--max-redirects", "5", "-c", "2", "--timeout", "5s", *options)
        equal(run.code, 3, "exit code", run)
        equal(set(run.doc["totals"]["by_failure"]), {"redirect"}, "by_failure", run)
        expect(server.requests <= 6 * run.doc["totals"]["started"], "requests: %d" % server.requests, run)
        between(run.wall, 0, 10, "seconds", run)


for _words, _where in TRAPS.items():
    add_case("case 12: a redirect %s ends as one failure, and the run on time" % _words, trapped, _where)


@case("case 12: a redirect that leads somewhere is followed, each time anew")
def followed():
    server = Script(moves(lambda path: None if path == "/b" else "/b"))
    run = good_load(server.url, "-L", "-c", "2", "-n", "10")
    equal((server.requests, run.doc["totals"]["ok"], run.doc["totals"]["started"]), (20, 10, 10), "requests, ok and started", run)


# Case 13: Set-Cookie as servers send it: what of it comes back.

COOKIES = [
    ("=x", None),
    ("; ;", None),
    ("a=b; Domain=other.test", None),
    ("a=b; Expires=Wed, 23-Aug-2023 10:00:00 GMT", None),
    ("a=b; Expires=Wed, 23-Aug-2083 10:00:00 GMT", "a=b"),
    ("a=b; Expires=when it is done", "a=b"),
    ("a=" + "v" * 5000, None),
    ("a=b; Path=/elsewhere", None),
    ("a=b; Secure", None),
    ("a=b; Max-Age=0", None),
    ("a=b=c; SameSite=Odd; Unknown", "a=b=c"),
]


@case("case 13: a cookie is kept or dropped by the rules, and the request is a success")
def cookies():
    for sent, back in COOKIES:
        server = Script(always(answer(headers=["Set-Cookie: " + sent, "Set-Cookie: good=1"])))
        run = good_load(server.url, "--cookies", "-c", "1", "-n", "3")
        want = "good=1" if back is None else back + "; good=1"
        equal(values(server.heads[-1].decode("latin-1").split("\r\n"), "cookie"), [want], "Cookie after %r" % sent[:50], run)
    server = Script(always(answer(headers=["Set-Cookie: a=b"])))
    good_load(server.url, "-c", "1", "-n", "3")
    equal([values(head.decode().split("\r\n"), "cookie") for head in server.heads], [[]] * 3, "cookies that nobody asked to keep")


# Case 14.


@case("case 14: the span of lengths is that of all users, chunked and empty bodies too")
def span_of_lengths():
    def play(talk):
        size = 0 if talk.number % 2 else 5000
        while talk.request() is not None:
            body = b"d" * size
            if not talk.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + (b"%x\r\n%s\r\n" % (size, body) if size else b"") +
                             b"0\r\n\r\n"):
                return

    run = good_load(Script(play).url, "-c", "4", "-n", "40")
    expect(re.search(r"body length varied, 0 B\.\.5\.00 kB", run.said()), "the note", run)


@case("case 14: a length is a failure only where one was asked for")
def asked_length():
    def play(talk):
        while talk.request() is not None:
            talk.send(answer(b"d" * (100 + talk.requests % 2)))

    server = Script(play)
    good_load(server.url, "-c", "1", "-n", "20")
    run = load(server.url, "-c", "1", "-n", "20", "--expect-length", "100")
    equal((run.doc["totals"]["ok"], run.doc["totals"]["by_failure"]), (10, {"check": 10}), "ok and failed", run)


sys.exit(main())
