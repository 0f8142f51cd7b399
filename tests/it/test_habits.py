#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lines of other tools that would mean something else here: exit 2, brunt's own option named,
nothing on stdout, nothing sent. Those that mean the same are in tests/unit/cmd/test_habits.c."""

import shlex
import sys

from harness import Script, add_case, always, answer, brunt, case, equal, expect, main

# The tool, its line without its name (URL: a server that counts what arrives), and what the one
# line on stderr must hold.
LINES = [
    ("ab", "-k -n 1000 -c 10 URL", ["--close", "--insecure", "default"]),
    ("ab", "-kn 1000 -c 10 URL", ["--close"]),
    ("ab", "-t 300 -c 10 URL", ["-d 300s"]),
    ("ab", "-n 100 -p body.txt -T text/plain URL", ["--data @FILE"]),
    ("ab", "-n 100 -T text/plain URL", ["Content-Type"]),
    ("ab", "-n 100 -u body.txt URL", ["-X PUT"]),
    ("ab", "-n 100 -A me:secret URL", ["-u NAME:PASS"]),
    ("ab", "-n 100 -C a=b URL", ["-H 'Cookie"]),
    ("ab", "-n 100 -X 127.0.0.1:3128 URL", ["--proxy"]),
    ("ab", "-n 100 -P me:secret URL", ["--proxy http://NAME:PASS@HOST:PORT"]),
    ("ab", "-n 100 -s 5 URL", ["--timeout"]),
    ("ab", "-n 100 -e out.csv URL", ["--csv"]),
    ("ab", "-n 100 -g out.tsv URL", ["--samples"]),
    ("ab", "-n 100 -i URL", ["-X HEAD"]),
    ("ab", "-n 100 -m DELETE URL", ["-X"]),
    ("ab", "-n 100 -B 127.0.0.2 URL", ["--bind"]),
    ("ab", "-n 100 -v 2 URL", ["-v"]),
    ("ab", "-n 100 -r URL", ["default", "--rate"]),
    ("ab", "-n 100 -l URL", ["default"]),
    ("ab", "-n 100 -w URL", ["--html"]),
    ("ab", "-d -n 100 URL", ["-d needs a value"]),
    ("wrk", "-t2 -c10 -d10s -s post.lua URL", ["Lua", "--data"]),
    ("wrk", "-t2 -c10 -d10s --script=post.lua URL", ["Lua"]),
    ("wrk", "-t2 -c10 -d10s --latency URL", ["--percentiles"]),
    ("wrk", "-t999 -c1000 -d10s URL", ["--threads 999"]),
    ("wrk2", "-t2 -c10 -d10s -R2000 URL", ["--rate", "not in this version"]),
    ("wrk2", "-t2 -c10 -d10s --rate 2000 URL", ["not in this version"]),
    ("wrk2", "-t2 -c10 -d10s --u_latency URL", ["service"]),
    ("hey", "-z 10s -c 10 URL", ["-d 10s"]),
    ("hey", "-q 50 -c 10 URL", ["--rate"]),
    ("hey", "-q50 -c 10 URL", ["--rate"]),
    ("hey", "-m POST -d '{\"a\":1}' URL", ["-X"]),
    ("hey", "-d '{\"a\":1}' URL", ["--data"]),
    ("hey", "-d name=value URL", ["--data"]),
    ("hey", "-D body.json URL", ["--data @FILE"]),
    ("hey", "-t 20000 URL", ["--timeout"]),
    ("hey", "-a me:secret URL", ["-u NAME:PASS"]),
    ("hey", "-A text/html URL", ["Accept"]),
    ("hey", "-U robot URL", ["User-Agent"]),
    ("hey", "-o csv URL", ["--csv"]),
    ("hey", "-h2 URL", ["--http 2"]),
    ("hey", "-cpus 2 URL", ["--threads"]),
    ("hey", "-cpus=2 URL", ["--threads"]),
    ("hey", "-host a.host URL", ["--host"]),
    ("hey", "-disable-keepalive URL", ["--close"]),
    ("hey", "-disable-compression URL", ["default"]),
    ("hey", "-disable-redirects URL", ["default"]),
    ("oha", "-z 10s URL", ["-d 10s"]),
    ("oha", "-q 100 -z 10s URL", ["--rate"]),
    ("oha", "--no-tui URL", ["--progress plain"]),
    ("oha", "-j URL", ["--json -"]),
    ("oha", "-t 5s URL", ["--timeout 5s"]),
    ("oha", "--disable-keepalive URL", ["--close"]),
    ("oha", "--http2 URL", ["--http 2"]),
    ("oha", "--http-version 1.1 URL", ["--http 1.1"]),
    ("oha", "--latency-correction -n 10 URL", ["--rate"]),
    ("oha", "-w -z 5s URL", ["--drain"]),
    ("oha", "-p 10 URL", ["--streams"]),
    ("oha", "-u ms -n 10 URL", ["NAME:PASS"]),
    ("oha", "--urls-from-file urls.txt", ["file of URLs"]),
    ("k6", "run --vus 10 --duration 30s script.js", ["-c 50"]),
    ("k6", "run -u 10 -d 30s script.js", ["-c 50"]),
    ("k6", "run script.js", ["script.js"]),
    ("k6", "run --iterations 100 URL", ["-n"]),
    ("k6", "run -i 100 URL", ["-n"]),
    ("k6", "run -s 30s:10 URL", ["stages"]),
    ("k6", "run --rps 100 URL", ["--rate"]),
    ("k6", "run --no-connection-reuse URL", ["--close"]),
    ("k6", "run --summary-trend-stats p(95) URL".replace("p(95)", "'p(95)'"), ["--percentiles"]),
    ("k6", "run --out json=x.json URL", ["--json"]),
    ("k6", "run --http-debug URL", ["--once"]),
    ("siege", "-c 25 -t 30S URL", ["-d"]),
    ("siege", "-c 25 -t 1M URL", ["-d"]),
    ("siege", "-b -c 25 -r 10 URL", ["default"]),
    ("siege", "-c 25 -r 10 URL", ["-n"]),
    ("siege", "--concurrent=25 --reps=10 URL", ["-c 50"]),
    ("siege", "-c 25 -f urls.txt", ["file of URLs"]),
    ("siege", "-i -c 25 URL", ["file of URLs"]),
    ("siege", "-A robot -c 25 URL", ["User-Agent"]),
    ("h2load", "-n 1000 -c 10 -m 10 URL", ["--streams"]),
    ("h2load", "-D 10 -c 10 URL", ["-d 10s"]),
    ("h2load", "-n 1000 --clients=10 URL", ["-c 50"]),
    ("h2load", "-n 1000 -d body.txt URL", ["--data @FILE"]),
    ("h2load", "-n 1000 --h1 URL", ["default"]),
    ("h2load", "-D 10 --warm-up-time=5 URL", ["-d 10s"]),
    ("h2load", "--warm-up-time=5 -c 10 URL", ["--warmup"]),
    ("h2load", "-n 1000 -T 5s URL", ["--timeout"]),
    ("h2load", "-i urls.txt -c 10", ["file of URLs"]),
    ("curl", "-k URL", ["--insecure"]),
    ("curl", "-sS URL", ["-q"]),
    ("curl", "-I URL", ["-X HEAD"]),
    ("curl", "-b a=b URL", ["Cookie"]),
    ("curl", "-A robot URL", ["User-Agent"]),
    ("curl", "-e http://a.host/ URL", ["Referer"]),
    ("curl", "-d k=v URL", ["--data"]),
    ("curl", "-X POST -d '{\"a\":1}' URL", ["--data"]),
    ("curl", "--data-binary @body URL", ["--data"]),
    ("curl", "--data-raw k=v URL", ["--data"]),
    ("curl", "--json '{\"a\":1}' URL", ["--data", "Content-Type"]),
    ("curl", "-u me URL", ["NAME:PASS"]),
    ("curl", "-m 5 URL", ["--timeout"]),
    ("curl", "--max-time 5 URL", ["--timeout"]),
    ("curl", "-o /dev/null URL", ["--once"]),
    ("curl", "-T file URL", ["--data @FILE"]),
    ("curl", "-x http://127.0.0.1 URL", ["--proxy", "no port"]),
    ("curl", "-x socks5h://me:secret@127.0.0.1:1080 URL", ["socks", "not in this version"]),
    ("curl", "-x https://127.0.0.1:3128 URL", ["https proxies", "not in this version"]),
    ("curl", "-x 127.0.0.1:3128 -U me:secret URL", ["--proxy http://NAME:PASS@HOST:PORT"]),
    ("curl", "-x 127.0.0.1:3128 --connect-to ::127.0.0.1:80 URL", ["tunnel", "not in this version"]),
    ("curl", "-0 URL", ["--http 1.0"]),
    ("curl", "--http2 URL", ["--http 2"]),
    ("curl", "--resolve a.host:80:127.0.0.1 URL", ["none is for 127.0.0.1"]),
    ("curl", "--connect-to a.host:80:b.host:80 URL", ["none is for the target"]),
    ("curl", "--url URL", ["TARGET"]),
    ("curl", "-c jar.txt URL", ["-c", "jar.txt"]),
    # what no tool can know but every shell does
    ("a shell", "-H URL", ["-H took the URL"]),
    ("a shell", "-c 5 --data URL --close", ["--data took the URL"]),
    ("a shell", "-c 5 --slo p95 URL", ["p95:25ms"]),
    ("a shell", "-c 5 URL URL", ["second TARGET"]),
    ("a web page", "\u2013c 5 URL", ["typeset dash"]),
]


def refused(line, words):
    server = Script(always(answer()))
    arguments = [server.url if word == "URL" else word for word in shlex.split(line)]
    run = brunt(*arguments, timeout=15)
    equal(run.code, 2, "exit code", run)
    equal(run.out, "", "stdout", run)
    equal(len(run.err.splitlines()), 1, "lines on stderr", run)
    for word in words:
        expect(word.lower() in run.err.lower(), "the line names %r" % word, run)
    expect("secret" not in run.err, "a password is shown", run)
    equal((server.connections, server.requests), (0, 0), "connections and requests at the server", run)


for _tool, _line, _words in LINES:
    add_case("%s %s" % (_tool, _line.replace("#", "number")), refused, _line, _words)


@case("nothing is accepted and ignored: each option of a later version is unknown")
def later():
    for option in ("--rate 5", "--arrivals paced", "--stages 30s:10", "--think 1s", "--session 3", "--max-connections 9",
                   "--streams 3", "--feed a=b", "--server local", "--html x", "--junit x", "--jtl x", "--prom x",
                   "--md x", "--ui", "--store x", "--print", "--agents 2", "--warmup auto", "--http 2", "--http h2c"):
        server = Script(always(answer()))
        run = brunt("run", *option.split(), server.url, timeout=15)
        equal(run.code, 2, "exit code of %s" % option, run)
        expect("not in this version yet" in run.err, "%s: the line says so" % option, run)
        equal((run.out, server.connections), ("", 0), "stdout and connections of %s" % option, run)


sys.exit(main())
