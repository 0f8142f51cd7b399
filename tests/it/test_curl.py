#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""brunt curl sends what curl itself sends for the same words; what it cannot do it refuses."""

import os
import re
import shutil
import subprocess

from harness import BRUNT, Skip, brunt, case, clean_environment, equal, expect, load, main, scratch
from recorder import Recorder

SECRET = "hunter2"

# URL is the server's with a slash at its end, FILE a file.
COMMANDS = [
    "URLplain", "URL -s -S -i -o /dev/null -w %{http_code}", "-sSo/dev/null URLa URLb?x=1", "--url URL -X DELETE", "URL -X POST",
    "URL -d a=1 -d b=2", "URL -da=1 --data-raw @x --data-ascii c", "URL --data ''", "URL -d @FILE", "URL -d x -d @FILE",
    "URL --data-binary @FILE", "URL --data-binary @FILE -d y", "URL -X PUT --data-binary @FILE -H Content-Type:text/csv",
    "URL --data-urlencode 'a b/ü' --data-urlencode =c& --data-urlencode 'd=e f' --data-urlencode @FILE --data-urlencode g@FILE",
    "-G URLs -d a=1 --data-urlencode 'q=x y'", "-G URLs?p=0 -d a=1", "-I URL", "-IG URL -d a=1", "-T FILE URLx", "-T FILE URLdir/",
    "-T FILE -X POST URL", "URL --json '{\"a\":' --json 1}", "URL --json @FILE -H 'accept: x/y'",
    "URL -H 'A: b' -H 'C;' -H 'Accept:'", "URL -H 'Host: other.test'", "URL -A me -e http://r.test/ -b a=b --cookie 'c=d; e=f' -r 0-99",
    "URL -u me:secret", "URL -H 'Authorization: Bearer x' --oauth2-bearer tok", "-g URL[1-2]", "-g URL?f[x]=1",
    "URL -0", "URL --http1.1 -H 'Cookie: z=1'", "URL -X PATCH --data-raw '{\"a\": 1}' -H 'Content-Type: application/json'",
]
FORMS = ["URL -F a=b -F f=@FILE", "URL -F 'a=<FILE' -F 'b=@FILE;type=x/y'", "URL -F 'b=@FILE;filename=n m.txt' --form-string c=@d",
         "URL -X PUT -F 'a=x;type=text/plain'"]

OURS = {"user-agent", "connection", "expect"}


def words_of(command, server, path):
    """The words of a command; quotes are ' alone."""
    words = re.findall(r"(?:[^\s']|'[^']*')+", command)
    return [word.replace("'", "").replace("URL", server.url).replace("FILE", path) for word in words]


def make_file():
    path = os.path.join(scratch(), "data.txt")
    with open(path, "wb") as file:
        file.write("a=1\r\nb=ü&\n".encode())
    return path


def curl(*words):
    if not shutil.which("curl"):
        raise Skip("curl is not installed")
    subprocess.run(["curl", "-sS", "--noproxy", "*", *words], stdout=subprocess.DEVNULL, timeout=20, check=True,
                   env=clean_environment())


def load_curl(*words, options=("-n", "1", "-c", "1"), **more):
    return load("", *options, "curl", *words, **more)


def shown(request):
    # A POST without a body says so here (RFC 9110 section 8.6), and not in curl.
    # Cookies are joined by "; " (RFC 6265 section 4.2.1), and by ";" in curl.
    headers = sorted((name, value.replace("; ", ";") if name == "cookie" else value) for name, value in request.headers
                     if (name not in OURS or value == "me") and (name, value) != ("content-length", "0"))
    return [request.method, request.target, request.version, headers, request.body]


@case("the same requests as curl's own")
def same_as_curl():
    server, path = Recorder(), make_file()
    for command in COMMANDS:
        words = words_of(command, server, path)
        curl(*words)
        wanted = [shown(r) for r in server.take()]
        run = load_curl(*words, options=("-n", str(len(wanted)), "-c", "1"))
        equal(run.code, 0, "exit code of %s" % words, run)
        seen = [shown(r) for r in server.take()]
        if "-H" in words and any(word.startswith("Authorization") for word in words):
            expect(("authorization", "Bearer x") in seen[0][3], "the header that -H gave", seen)
            continue
        # HTTP/1.0 keeps a connection only when asked.
        equal(seen, wanted, "what %s sends" % words, run)


def form_of(request):
    boundary = re.search(r"boundary=(\S+)", request.all("content-type")[0]).group(1)
    return request.method, re.sub(r"boundary=\S+", "boundary=B", request.all("content-type")[0]), \
        request.body.replace(boundary.encode(), b"B"), int(request.all("content-length")[0]) - request.size


@case("the same forms as curl's own")
def same_forms():
    server, path = Recorder(), make_file()
    for command in FORMS:
        words = words_of(command, server, path)
        curl(*words)
        wanted = [form_of(r) for r in server.take()]
        run = load_curl(*words)
        equal([form_of(r) for r in server.take()], wanted, "what %s sends" % words, run)


@case("load options stand before the word, or long ones among curl's")
def load_options():
    server = Recorder()
    run = load_curl(server.url + "x", "-H", "A: b", options=("-n", "20", "-c", "4"))
    equal((run.code, len(server.take()), run.doc["plan"]["connections"]), (0, 20, 4), "exit code, requests, connections", run)
    run = brunt("curl", server.url + "y", "--requests", "12", "-d", "v=1", "--connections=3", "--progress", "none", "--no-store")
    seen = server.take()
    equal((run.code, len(seen), {(r.method, r.body) for r in seen}), (0, 12, {("POST", b"v=1")}), "exit code and requests", run)
    # The word as a value of an option is no target.
    run = load(server.url, "-n", "2", "--name", "curl")
    equal((run.code, len(server.take())), (0, 2), "exit code and requests", run)


@case("a pasted command comes from a file or from standard input, in both forms of the browsers")
def pasted():
    server = Recorder()
    bash = ("curl '%sapi?a=1&b=2' \\\n  -X 'POST' \\\n  -H ':authority: x' -H 'content-length: 99' \\\n  -b 'sid=1' \\\n"
            "  --data-raw $'{\"it\\'s\":\"\\u0021\"}'\n" % server.url)
    cmd = ("curl ^\"%sapi?a=1^&b=2^\" ^\n  -X ^\"POST^\" ^\n  -b ^\"sid=1^\" ^\n  --data-raw ^\"^{^\\^\"it's^\\^\":^\\^\"^!^\\^\"^}^\"\n"
           % server.url)
    for text in (bash, cmd):
        path = os.path.join(scratch(), "pasted.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        run = brunt("curl", "--from", path, "--requests", "1", "--progress", "none", "--no-store")
        equal(run.code, 0, "exit code", run)
        piped = subprocess.run([BRUNT, "curl", "-", "--requests", "1", "--progress", "none", "--no-store"], input=text, text=True,
                               capture_output=True, timeout=30, env=clean_environment(), check=False)
        equal(piped.returncode, 0, "exit code", piped.stderr)
        seen = server.take()
        equal([(r.method, r.target, r.all("cookie"), r.body) for r in seen],
              [("POST", "/api?a=1&b=2", ["sid=1"], b'{"it\'s":"!"}')] * 2, "requests", run)


@case("several URLs of a command are asked for in turn")
def several():
    one, two = Recorder(), Recorder()
    run = load_curl(one.url + "a", two.url + "b", options=("-n", "6", "-c", "1"))
    equal(run.code, 0, "exit code", run)
    equal(([r.target for r in one.take()], [r.target for r in two.take()]), (["/a"] * 3, ["/b"] * 3), "targets", run)


@case("what cannot be done is exit 2 with the reason, and nothing is sent")
def refused():
    server = Recorder()
    for words, hint in ((["--http2", server.url], "HTTP/2"), (["--nonsense", server.url], "unknown option --nonsense"),
                        (["ftp://a.test/"], "ftp"), (["-s"], "no URL"), (["-b", "jar.txt", server.url], "file of cookies"),
                        ([server.url + "{a,b}"], "several URLs"), (["-F", "a=b", "-d", "c", server.url], "two bodies"),
                        ([server.url, "-d", "@/no/such"], "/no/such"), ([server.url, "--next", server.url], "--next")):
        run = load_curl(*words)
        equal(run.code, 2, "exit code of %s" % words, run)
        expect(hint in run.err, "%r is not said" % hint, run)
    equal(server.take(), [], "requests")


@case("secrets of curl's options are in no output")
def secrets():
    server = Recorder()
    for words in (["-u", "me:" + SECRET], ["-ume:" + SECRET], ["--user", "me:" + SECRET], ["-b", "sid=" + SECRET], ["-bsid=" + SECRET],
                  ["--cookie=sid=" + SECRET], ["-d", "p=" + SECRET], ["-sSd", "p=" + SECRET], ["-dp=" + SECRET],
                  ["--data-urlencode", "p=" + SECRET], ["--json", '"%s"' % SECRET], ["-F", "p=" + SECRET], ["--form-string", "p=" + SECRET],
                  ["-H", "Authorization: Bearer " + SECRET], ["-HCookie: a=" + SECRET], ["--oauth2-bearer", SECRET]):
        run = load_curl(server.url, *words)
        equal(run.code, 0, "exit code of %s" % words, run)
        expect(SECRET not in run.out + run.err, "the secret of %s is printed" % words, run)
        expect(SECRET not in str(run.doc), "the secret of %s is in the document" % words, run)
        expect("***" in run.doc["run"]["argv"] or any("***" in a for a in run.doc["run"]["argv"]), "nothing is cut", run)
        expect(SECRET in str(server.take()) or any(w.startswith(("-u", "--user")) for w in words), "the secret was not sent", run)
    run = load_curl(server.url.replace("//", "//me:%s@" % SECRET))
    expect(SECRET not in run.out + run.err + str(run.doc), "the secret of a URL is kept", run)


main()
