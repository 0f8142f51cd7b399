#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--digest: challenges answered, by brunt's own target, by apache2's mod_auth_digest and by scripts."""

import hashlib
import os
import re
import sys

from harness import Apache, Script, Serve, add_case, always, answer, between, case, equal, expect, good_load, load, main, scratch

AUTH = """
<Location /digest>
    AuthType Digest
    AuthName "the realm"
    AuthDigestProvider file
    AuthUserFile %s
    AuthDigestNonceLifetime %d
    Require valid-user
</Location>
Alias /digest www
"""


def fields(head):
    line = re.search(rb"(?im)^authorization: Digest (.*?)\r?$", head)
    return dict(re.findall(r'(\w+)="?([^",]*)"?', line.group(1).decode())) if line else None


def booked(run, lines):
    totals = run.doc["totals"]
    equal(lines, totals["started"] + totals["followed"] + totals["retried"], "requests at the server", run)
    equal(sum(totals["by_status"].values()), lines, "answers by status", run)


def let_in(run, number, users):
    """Each user is asked once, if it had a turn at all. How often that was."""
    asked = run.doc["totals"]["followed"]
    between(asked, 1, users, "questions", run)
    equal(run.doc["totals"]["by_status"], {"200": number, "401": asked}, "answers", run)
    booked(run, number + asked)
    return asked


def each_algorithm(algorithm):
    server = Serve(log=True)
    url = server.url + "/fault/digest?user=u&pass=p%%20q&algorithm=%s" % algorithm
    run = good_load(url, "--digest", "-u", "u:p q", "-c", "3", "-n", "60")
    let_in(run, 60, 3)
    run = load(url, "--digest", "-u", "u:wrong", "-c", "1", "-n", "5")
    equal(run.doc["totals"]["by_failure"], {"status": 5}, "causes with a wrong password", run)
    booked(run, 10)


for _algorithm in ("MD5", "SHA-256"):
    add_case("brunt's own target, %s" % _algorithm, each_algorithm, _algorithm)


@case("without --digest the name and password are basic, and refused")
def not_digest():
    run = load(Serve().url + "/fault/digest", "-u", "u:p", "-c", "1", "-n", "5")
    equal((run.doc["totals"]["by_status"], run.doc["totals"]["followed"]), ({"401": 5}, 0), "answers", run)
    good_load(Serve().url + "/fault/basic", "-u", "u:p", "-c", "1", "-n", "5")


def digest_apache(lifetime=300):
    path = os.path.join(scratch(), "users")
    with open(path, "w") as file:
        file.write("name:the realm:%s\n" % hashlib.md5(b"name:the realm:secret").hexdigest())
    os.chmod(os.path.dirname(path), 0o755)
    return Apache(modules=["auth_digest", "authn_core", "authn_file", "authz_user", "alias"], more=AUTH % (path, lifetime))


@case("apache2's mod_auth_digest lets each user in after one question")
def apache():
    server = digest_apache()
    run = good_load(server.url + "/digest/4k?a=b", "--digest", "-u", "name:secret", "-c", "5", "-n", "200")
    asked = let_in(run, 200, 5)
    equal(len(server.rows(200 + asked)), 200 + asked, "lines in the log", run)
    server.truncate_log()
    run = good_load(server.url + "/digest/", "--digest", "-u", "name:secret", "-c", "5", "-n", "50", "--close")
    let_in(run, 50, 5)
    run = load(server.url + "/digest/", "--digest", "-u", "name:wrong", "-c", "2", "-n", "10")
    equal(run.doc["totals"]["by_failure"], {"status": 10}, "causes", run)


@case("a nonce of apache2's that gets old is replaced, and nobody fails")
def old_nonce():
    server = digest_apache(lifetime=1)
    run = good_load(server.url + "/digest/", "--digest", "-u", "name:secret", "-c", "1", "-d", "2500ms", "--warmup", "0")
    asked = run.doc["totals"]["by_status"]["401"]
    expect(2 <= asked <= 6, "it was asked %d times" % asked, run)


@case("the count of a nonce goes up, and the body of a POST is sent again")
def counts():
    challenge = answer(b"", status=401, headers=['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth", opaque="o"'])
    bodies = []

    def play(talk):
        while (head := talk.request()) is not None:
            length = int(re.search(rb"(?im)^content-length: (\d+)", head).group(1))
            while len(talk.rest) < length and talk.more():
                pass
            bodies.append(talk.rest[:length])
            talk.rest = talk.rest[length:]
            if not talk.send(challenge if fields(head) is None else answer()):
                return

    server = Script(play)
    run = good_load(server.url + "p?q=1", "--digest", "-u", "u:p", "--data", "a=1", "-c", "1", "-n", "5")
    seen = [fields(head) for head in server.heads]
    equal([f and (f["nc"], f["uri"], f["opaque"]) for f in seen],
          [None] + [("%08x" % n, "/p?q=1", "o") for n in range(1, 6)], "answers to the challenge", run)
    equal(bodies, [b"a=1"] * 6, "bodies", run)
    equal(len({f["cnonce"] for f in seen[1:]}), 5, "nonces of the client's own", run)


@case("a server that only ever asks does not hold the run")
def asks_for_ever():
    for more in ("", ", stale=true"):
        server = Script(always(answer(b"", status=401, headers=['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth"' + more])))
        run = load(server.url, "--digest", "-u", "u:p", "-c", "2", "-n", "10")
        equal(run.doc["totals"]["by_failure"], {"status": 10}, "causes", run)
        booked(run, server.requests)


@case("neither digest nor name goes where a redirect leads, and a challenge there is the answer")
def foreign():
    other = Script(always(answer(b"", status=401, headers=['WWW-Authenticate: Digest realm="theirs", nonce="m", qop="auth"'])))
    challenge = answer(b"", status=401, headers=['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth"'])

    def play(talk):
        while (head := talk.request()) is not None:
            if not talk.send(challenge if fields(head) is None else answer(b"", status=302, headers=["Location: " + other.url])):
                return

    server = Script(play)
    run = load(server.url, "--digest", "-L", "-u", "u:p", "-c", "1", "-n", "4")
    equal(run.doc["totals"]["by_failure"], {"status": 4}, "causes", run)
    equal((server.requests, other.requests), (5, 4), "requests here and there", run)
    for head in other.heads:
        expect(b"uthorization" not in head, "nothing is told: %r" % head, run)


sys.exit(main())
