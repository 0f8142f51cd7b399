#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--compressed, and --expect-body where the body is encoded."""

import gzip
import sys
import time
import zlib

from harness import Script, Serve, add_case, always, answer, case, equal, expect, good_load, load, main
from recorder import Recorder

WORD = b"the word that is looked for"
PLAIN = b"." * 5000 + WORD + b"." * 5000


def with_coding(data, coding):
    return answer(data, headers=["Content-Encoding: " + coding])


@case("--compressed asks for what can be undone, and a header of the user's goes before it")
def asks():
    server = Recorder()
    good_load(server.url, "--compressed", "-c", "1", "-n", "1")
    good_load(server.url, "-c", "1", "-n", "1")
    good_load(server.url, "--compressed", "-H", "accept-encoding: br", "-c", "1", "-n", "1")
    equal([r.all("accept-encoding") for r in server.take()], [["gzip, deflate, br"], [], ["br"]], "Accept-Encoding")


def pieces(data, cuts):
    """The answer in pieces: a read for each."""
    def play(talk):
        while talk.request() is not None:
            last = 0
            for cut in list(cuts) + [len(data)]:
                if not talk.send(data[last:cut]):
                    return
                last = cut
                time.sleep(0.01)
    return play


def decoded(coding, data):
    whole = with_coding(data, coding)
    head = whole.index(b"\r\n\r\n") + 4
    text = WORD.decode()
    for cuts in ((), (head,), (head - 1, head + 1), (5, head, head + 7)):
        server = Script(pieces(whole, cuts))
        run = good_load(server.url, "--compressed", "--expect-body", text, "-c", "2", "-n", "10")
        equal(run.doc["bytes"]["body_in"], 10 * len(data), "bytes of bodies as they came, cut at %s" % (cuts,), run)
        equal(run.doc["bytes"]["body_in_decoded"], 10 * len(PLAIN), "and decoded", run)
    run = load(Script(always(whole)).url, "--expect-body", text + "!", "-c", "2", "-n", "10")
    equal(run.doc["totals"]["by_failure"], {"check": 10}, "causes when it is not there", run)


def raw(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


for _coding, _data in (("gzip", gzip.compress(PLAIN)), ("x-gzip", gzip.compress(PLAIN)), ("deflate", zlib.compress(PLAIN)),
                       ("deflate", raw(PLAIN)), ("deflate, gzip", gzip.compress(zlib.compress(PLAIN))), ("identity", PLAIN)):
    add_case("the word in a body of %d bytes, %s" % (len(_data), _coding), decoded, _coding, _data)


@case("an encoded body and a plain one by turns on a connection")
def by_turns():
    both = [with_coding(gzip.compress(PLAIN), "gzip"), answer(PLAIN), with_coding(gzip.compress(b"no"), "gzip"), answer(b"no")]

    def play(talk):
        while talk.request() is not None:
            if not talk.send(both[(talk.requests - 1) % 4]):
                return

    run = load(Script(play).url, "--expect-body", WORD.decode(), "-c", "1", "-n", "40")
    equal((run.doc["totals"]["ok"], run.doc["totals"]["by_failure"]), (20, {"check": 20}), "good and bad by turns", run)


@case("what is behind a redirect is decoded by its own head")
def behind_redirect():
    last = Script(always(with_coding(gzip.compress(PLAIN), "gzip")))
    first = Script(always(answer(b"x", status=302, headers=["Location: " + last.url, "Content-Encoding: br"])))
    good_load(first.url, "-L", "--expect-body", WORD.decode(), "-c", "2", "-n", "20")


@case("bodies that are not what they are said to be fail when they are looked at, and only then")
def faults():
    server = Serve()
    for name, cause in (("gzip-cut", "truncated"), ("gzip-bad", "check"), ("gzip-not", "check"), ("encoding-unknown", "check"),
                        ("gzip", None), ("gzip-trailing", None), ("gzip-chunked", None), ("deflate-raw", None), ("deflate-zlib", None),
                        ("br", None)):
        url = server.url + "/fault/" + name
        good_load(url, "--compressed", "-c", "1", "-n", "5")
        run = load(url, "--compressed", "--expect-body", "no such word", "-c", "1", "-n", "5")
        equal(run.doc["totals"]["by_failure"], {cause or "check": 5}, "causes of " + name, run)
        if cause is None:
            expect("is not in the body" in run.said(), "%s is decoded and the word is missing" % name, run)


@case("a small body that is a giant when decoded is not decoded without end")
def bomb():
    bomb_body = zlib.compressobj(9, wbits=31)
    data = b"".join([bomb_body.compress(bytes(1 << 20)) for _ in range(300)]) + bomb_body.flush()
    run = load(Script(always(with_coding(data, "gzip"))).url, "--expect-body", "x", "-c", "1", "-n", "1", timeout=30)
    equal(run.doc["totals"]["by_failure"], {"check": 1}, "causes", run)


sys.exit(main())
