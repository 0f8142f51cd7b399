#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--cookies: each user keeps what it is given, sends it back, and nobody else's."""

import collections
import re
import sys
import threading

from harness import Script, Serve, answer, between, case, equal, expect, good_load, main


def cookie_of(head):
    line = re.search(rb"(?im)^cookie: (.*?)\r?$", head)
    return line.group(1).decode() if line else None


class Sessions(Script):
    """Gives each client without a cookie one of its own."""

    def __init__(self):
        self.given, self.seen, self.own = 0, collections.Counter(), threading.Lock()
        super().__init__(self.answer_all)

    def answer_all(self, talk):
        while (head := talk.request()) is not None:
            cookie = cookie_of(head)
            with self.own:
                self.seen[cookie] += 1
                self.given += cookie is None
                more = [] if cookie else ["Set-Cookie: s=%d; Path=/; HttpOnly" % self.given]
            if not talk.send(answer(headers=more)):
                return


@case("each user has a session of its own, kept-alive or short")
def own_sessions():
    for close in ([], ["--close"]):
        server = Sessions()
        run = good_load(server.url, "--cookies", "-c", "10", "-n", "300", *close)
        asked = server.seen.pop(None)
        between(asked, 1, 10, "requests without a cookie", run)  # a user may find nothing left to do
        expect(set(server.seen) <= {"s=%d" % i for i in range(1, asked + 1)}, "sessions: %s" % server.seen, run)
        equal(sum(server.seen.values()), 300 - asked, "requests with one", run)


@case("without --cookies none is kept")
def none():
    server = Sessions()
    good_load(server.url, "-c", "2", "-n", "20")
    equal(server.seen, {None: 20}, "cookies that came")


@case("paths, expiry and the user's own header")
def rules():
    sets = {b"/a": ["Set-Cookie: deep=1; Path=/a/b", "Set-Cookie: all=2; Path=/", "Set-Cookie: late=3; Max-Age=0"],
            b"/gone": ["Set-Cookie: all=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]}

    def play(talk):
        while (head := talk.request()) is not None:
            path = head.split(b" ")[1]
            places = {b"/a": "/a/b/c", b"/a/b/c": "/a/x", b"/a/x": "/gone", b"/gone": "/end"}
            more = sets.get(path, []) + (["Location: " + places[path]] if path in places else [])
            if not talk.send(answer(status=302 if path in places else 200, headers=more)):
                return

    server = Script(play)
    run = good_load(server.url + "a", "--cookies", "-L", "-H", "Cookie: own=0", "-c", "1", "-n", "1")
    equal([cookie_of(head) for head in server.heads],
          ["own=0", "own=0; deep=1; all=2", "own=0; all=2", "own=0; all=2", "own=0"], "cookies, link by link", run)


@case("cookies that nobody can take are dropped and told, and the answers are good")
def bad():
    server = Serve()
    for name, dropped in (("nameless", 1), ("foreign", 1), ("dashes", 0), ("big", 1)):
        run = good_load(server.url + "/fault/cookie-" + name, "--cookies", "-c", "2", "-n", "20")
        equal(run.doc["totals"]["ok"], 20, "ok with " + name, run)
        equal(run.doc["observed"]["cookies_dropped"], 20 * dropped, "cookies dropped with " + name, run)
        expect(("cookies were dropped" in run.said()) == bool(dropped), "it tells of %s" % name, run)
    good_load(server.url + "/fault/cookie-bad", "--cookies", "-c", "2", "-n", "20")
    good_load(server.url + "/fault/cookies?bytes=20k", "--cookies", "-c", "2", "-n", "50")


sys.exit(main())
