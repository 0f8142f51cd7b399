#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of URLs: what is sent for each form, in which order, and what is refused."""

import base64
import collections
import hashlib
import json
import os
import resource
import subprocess

from harness import BRUNT, between, brunt, case, clean_environment, equal, expect, good_load, load, main, scratch
from recorder import Recorder


def write(name, text):
    path = os.path.join(scratch(), name)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path


@case("a user asks for the URLs of a file in turn")
def in_turn():
    server = Recorder()
    path = write("urls.txt", "# three\n%sa\n%sb?x=1\n127.0.0.1:%d/c\n" % (server.url, server.url, server.port))
    run = good_load(path, "-c", "1", "-n", "9")
    equal([r.target for r in server.take()], ["/a", "/b?x=1", "/c"] * 3, "targets", run)
    equal((run.doc["plan"]["items"], run.doc["plan"]["method"]), (3, "GET"), "items and method", run)


@case("each user begins one further than the user before it, so all URLs get the same")
def users_share():
    server = Recorder()
    path = write("urls.txt", "".join("%s%d\n" % (server.url, i) for i in range(8)))
    run = good_load(path, "-c", "4", "-n", "400", "--threads", "2")
    counts = collections.Counter(r.target for r in server.take())
    equal(sum(counts.values()), 400, "requests", run)
    equal(len(counts), 8, "URLs met", run)
    between(min(counts.values()), 30, 50, "fewest of a URL", run)


@case("--random draws each of them")
def at_random():
    server = Recorder()
    path = write("urls.txt", "".join("%s%d\n" % (server.url, i) for i in range(4)))
    run = good_load(path, "-c", "1", "-n", "400", "--random", "--seed", "7")
    targets = [r.target for r in server.take()]
    counts = collections.Counter(targets)
    equal(len(counts), 4, "URLs met", run)
    between(min(counts.values()), 60, 140, "fewest of a URL", run)
    expect(targets[:8] != ["/0", "/1", "/2", "/3"] * 2, "they came in turn", run)


@case("siege's form: methods, data, files and variables")
def siege():
    server = Recorder()
    body = write("body.bin", bytes(range(256)))
    path = write("urls.txt", "HOST = 127.0.0.1:%d\nhttp://$(HOST)/f POST a=1&b=${HOST}\n$(HOST)/g PUT <%s\n"
                             "$(HOST)/h DELETE\n\"$(HOST)/a b\"\n" % (server.port, body))
    run = good_load(path, "-c", "1", "-n", "4", "-H", "X-All: 1")
    seen = server.take()
    equal([(r.method, r.target) for r in seen], [("POST", "/f"), ("PUT", "/g"), ("DELETE", "/h"), ("GET", "/a%20b")], "requests", run)
    equal(seen[0].body, b"a=1&b=127.0.0.1:%d" % server.port, "data", run)
    equal(seen[0].all("content-type"), ["application/x-www-form-urlencoded"], "type", run)
    equal(seen[1].body, bytes(range(256)), "the file", run)
    equal([r.all("x-all") for r in seen], [["1"]] * 4, "the header of the command line", run)
    equal(run.doc["plan"]["method"], None, "method of several", run)


@case("vegeta's http form from standard input, with headers that replace the command line's")
def vegeta():
    server = Recorder()
    body = write("body.json", '{"a": 1}')
    text = "GET %sx\nX-One: a\nX-One: b\nx-mine: own\n\n# next\nPOST %sy\nContent-Type: application/json\n@%s\n" % (
        server.url, server.url, body)
    run = subprocess.run([BRUNT, "run", "--no-store", "--progress", "none", "-c", "1", "-n", "2", "-H", "X-Mine: all", "-"],
                         input=text, capture_output=True, text=True, timeout=30, env=clean_environment(), check=False)
    equal(run.returncode, 0, "exit code", run)
    one, two = server.take()
    equal((one.method, one.target, one.all("x-one"), one.all("x-mine")), ("GET", "/x", ["a", "b"], ["own"]), "the first", run)
    equal((two.method, two.target, two.all("x-mine"), two.all("content-type"), two.body),
          ("POST", "/y", ["all"], ["application/json"], b'{"a": 1}'), "the second", run)


@case("vegeta's json form")
def vegeta_json():
    server = Recorder()
    targets = [{"method": "PATCH", "url": server.url + "j", "header": {"A": ["1", "2"]}, "body": base64.b64encode(b"\0\xff").decode()},
               {"url": server.url + "k"}]
    run = good_load(write("targets.json", "\n".join(json.dumps(t) for t in targets)), "-c", "1", "-n", "2")
    one, two = server.take()
    equal((one.method, one.target, one.all("a"), one.body), ("PATCH", "/j", ["1", "2"], b"\0\xff"), "the first", run)
    equal((two.method, two.target, two.size), ("GET", "/k", 0), "the second", run)


@case("hosts of a file may differ, and each gets its own")
def hosts():
    servers = [Recorder(), Recorder(), Recorder()]
    path = write("urls.txt", "".join("%s%d\n" % (s.url, i) for i, s in enumerate(servers)))
    run = good_load(path, "-c", "3", "-n", "90")
    for i, server in enumerate(servers):
        seen = server.take()
        equal({(r.target, r.all("host")[0]) for r in seen}, {("/%d" % i, "127.0.0.1:%d" % server.port)}, "requests", run)
        between(len(seen), 25, 35, "requests of a host", run)


@case("a body of any size is sent byte for byte and takes no memory of its own")
def large_body():
    server = Recorder()
    path = write("large.bin", b"")
    size = 200 << 20
    with open(path, "wb") as file:
        for i in range(size >> 20):
            file.write(bytes([i % 251]) * (1 << 20))
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else \
            hashlib.sha256(file.read()).hexdigest()
    limit = 128 << 20
    run = good_load(server.url, "--data", "@" + path, "-X", "PUT", "-c", "1", "-n", "2", "--timeout", "40s",
                    limits={resource.RLIMIT_DATA: (limit, limit)})
    equal([(r.method, r.size, r.digest) for r in server.take()], [("PUT", size, digest)] * 2, "bodies", run)
    equal(run.doc["plan"]["body_bytes"], size, "body_bytes", run)
    run = good_load(write("urls.txt", "%s POST <%s\n" % (server.url, path)), "-c", "1", "-n", "1", "--timeout", "40s",
                    limits={resource.RLIMIT_DATA: (limit, limit)})
    equal([(r.method, r.size, r.digest) for r in server.take()], [("POST", size, digest)], "bodies", run)


@case("--once sends the first")
def once():
    server = Recorder()
    run = brunt("run", "--no-store", "--once", write("urls.txt", "%sa POST x=1\n%sb\n" % (server.url, server.url)))
    equal(run.code, 0, "exit code", run)
    equal([(r.method, r.target, r.body) for r in server.take()], [("POST", "/a", b"x=1")], "requests", run)


@case("what is wrong is told with its line, and nothing is sent")
def wrong():
    server = Recorder()
    for text, words in (
            ("%s\nhtt\n%s\nftp://x/\n" % (server.url, server.url), ["urls.txt:2: 'htt'", "urls.txt:4: the scheme 'ftp'", "2 lines of"]),
            ("%s\n%s POST <%s\n" % (server.url, server.url, "/no/such"), ["urls.txt:2: cannot open the data file '/no/such'"]),
            ("GET %s\nA: b\x01c\n" % server.url, ["urls.txt:1: the header 'A' holds a control byte"]),
            ("GET %s\nContent-Length: 5\n" % server.url, ["urls.txt:1: content-length"]),
            ("CONNECT %s\n" % server.url, ["urls.txt:1: CONNECT"]),
            ("# none\n", ["urls.txt:1: there is no URL in it"]),
            ("htt\n" * 30, ["urls.txt:20: ", "30 lines of", "the first are shown"])):
        run = load(write("urls.txt", text), "-n", "5")
        equal(run.code, 2, "exit code of %r" % text, run)
        for word in words:
            expect(word in run.err, "%r is not said of %r" % (word, text), run)
        expect("urls.txt:21: " not in run.err, "more than twenty", run)
        equal(run.out, "", "standard output", run)
    run = load(os.path.join(scratch(), "nothing.txt"), "-n", "5")
    equal(run.code, 2, "exit code", run)
    expect("nothing.txt" in run.err and "No such file" in run.err, "the file is not named", run)
    equal(server.take(), [], "requests")


main()
