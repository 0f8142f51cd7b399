#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a run prints and writes: text, the document, the exports; and what it keeps to itself."""

import csv
import io
import os
import re
import sys

import schema
from harness import (SCHEMA, Nginx, Script, Serve, Skip, always, answer, between, brunt, case, equal, expect, free_port,
                     good_load, load, main, scratch, strict_json)

QUIET = ["run", "--no-store", "--progress", "none"]


def read(path):
    with open(path, "r", errors="surrogateescape") as file:
        return file.read()


def document_schema():
    if not os.path.exists(SCHEMA):
        raise Skip("there is no %s" % SCHEMA)
    return strict_json(read(SCHEMA))


def conforms(doc):
    rules = document_schema()
    found = schema.faults(doc, rules)
    expect(not found, "the document does not fit its schema", *found[:20])
    try:
        import jsonschema
    except ImportError:
        return
    jsonschema.Draft202012Validator.check_schema(rules)
    jsonschema.validate(doc, rules)


@case("--json - gives the document alone on stdout, and it fits its schema")
def json_stdout():
    server = Nginx()
    run = brunt(*QUIET, "--json", "-", "-c", "5", "-n", "500", server.url)
    equal(run.code, 0, "exit code", run)
    doc = strict_json(run.out)
    equal(doc["schema"], "brunt.result/1", "schema")
    conforms(doc)


@case("documents of good, failing, empty, interrupted and checked runs fit the schema")
def json_kinds():
    server = Nginx()
    closed = "http://127.0.0.1:%d/" % free_port()
    cut = Script(lambda talk: talk.request() and talk.send(answer(b"x" * 100)[:-50]))
    for url, options in ((server.url + "/180k", ["-d", "1s", "--slo", "p95<25ms", "--slo", "p99.9<1us", "--slo", "rate>1/s"]),
                         (server.url + "/missing", ["-n", "50"]), (cut.url, ["-n", "5"]), (closed, ["-n", "5"]),
                         (server.url + "/", ["-n", "1"]), ("self", ["-n", "50", "-c", "8", "--strict"]),
                         (server.url + "/", ["-n", "20", "--close", "--name", "a\"b\\c", "--tag", "k=ü", "--note", "\t"])):
        run = load(url, *options)
        if run.doc is None:
            equal((url, run.code), (closed, 3), "only a target that is not there may leave no document", run)
        else:
            conforms(run.doc)


@case("the document has every group of the contract")
def groups():
    server = Nginx()
    run = good_load(server.url + "/", "-c", "5", "-d", "1s", "--name", "trial", "--tag", "a=b", "--seed", "71")
    doc = run.doc
    for name, fields in {
            "run": "id name tags subcommand argv version started duration_s warmup_s wall_s seed state exit_code",
            "environment": "cpus allowed_cpus kernel descriptors port_range congestion",
            "plan": "target model connections rate keepalive http threads",
            "first_answer": "status bytes content_type server address",
            "counts": "started ok failed unfinished reconnects retried by_status by_failure",
            "totals": "started ok failed unfinished reconnects retried by_status by_failure",
            "rate": "asked_per_s sent_per_s ok_per_s failed_per_s bytes_in_per_s bytes_out_per_s",
            "bytes": "in out body_in body_in_decoded",
            "latency_ns": "response service slip dwell dns connect tls send first_byte transfer failed_response",
            "validity": "valid checks",
            "generator": "cpu_s busy_max busy run_wait rss_bytes threads",
            "series": "t_s t_unix_ms phase ok failed in_flight p50_ns p95_ns p99_ns",
            "histograms": "response"}.items():
        for field in fields.split():
            expect(field in doc[name], "%s.%s is missing" % (name, field), doc[name])
    for field in "count mean stddev min max p50 p75 p90 p95 p99 p99_9 p99_99 ci95 weak".split():
        expect(field in doc["latency_ns"]["response"], "latency_ns.response.%s is missing" % field)
    equal(doc["run"]["seed"], 71, "seed")
    equal(doc["run"]["name"], "trial", "name")
    equal(doc["run"]["state"], "finished", "state")
    expect(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", doc["run"]["started"]), "started is RFC 3339", doc["run"])
    lengths = {len(v) for v in doc["series"].values() if isinstance(v, list)}
    equal(len(lengths - {0}), 1, "the columns of the series have one length", doc["series"].keys())
    equal(sum(doc["series"]["ok"]), doc["totals"]["ok"], "the windows sum to the totals")
    identities = {c["id"] for c in doc["validity"]["checks"]}
    for identity in ("V-GEN-CPU", "V-GEN-WAIT", "V-FD", "V-PORTS", "V-LITTLE", "V-UNFIN", "V-CLOCK", "V-DWELL", "V-LOAD"):
        expect(identity in identities, "%s is not in the document" % identity, sorted(identities))


@case("the document's rate is its count over its time, and intervals hold their point")
def consistent():
    server = Nginx()
    run = good_load(server.url + "/", "-c", "20", "-d", "2s")
    doc = run.doc
    between(doc["rate"]["ok_per_s"] * doc["run"]["duration_s"], 0.98 * doc["counts"]["ok"], 1.02 * doc["counts"]["ok"] + 20,
            "rate x time")
    response = doc["latency_ns"]["response"]
    held = 0
    for name, pair in response["ci95"].items():
        if pair and response.get(name) is not None:
            held += 1
            expect(pair[0] <= response[name] <= pair[1], "%s is outside its interval %s" % (name, pair), response)
    expect(held >= 2, "there are intervals", response)
    equal(response["count"], doc["counts"]["ok"], "count of response")


@case("the summary has the lines of the contract")
def summary():
    server = Nginx()
    run = brunt(*QUIET, "-c", "5", "-d", "1s", "--slo", "p95<25ms", "--seed", "71", server.url)
    expect(run.code in (0, 4), "exit code: 4 when this machine is too busy for a decision", run)
    for pattern in (r"(?m)^brunt run +http://127\.0\.0\.1:%d/? +closed, 5 connections" % server.port, r"seed 71",
                    r"(?m)^answer +200, 555 B text/html, nginx", r"(?m)^requests +[\d,]+ ok +0 failed +\d+ unfinished",
                    r"[\d,.]+k?/s", r"(?m)^status +200 [\d,]+", r"latency +mean .*p50 .*p90 .*p95 .*p99 .*max",
                    r"(?m)^phases .*first byte", r"(?m)^slo +p95<25ms held", r"errors<1% held", r"(?m)^valid +(yes|no)",
                    r"(?m)^next +\S"):
        expect(re.search(pattern, run.out) or re.search(pattern, run.said()), "no line like %s" % pattern, run)
    equal(run.err, "", "stderr with --progress none", run)
    expect("\x1b" not in run.out, "no colours where no terminal is", run)


@case("redirects are not praised, and empty ones are no success")
def redirects():
    server = Nginx()
    run = load(server.url + "/old", "-n", "100", "-c", "2")
    expect(re.search(r"(100 ?%|\ball\b).*301 to https://example\.invalid", run.said()), "the summary says that all were 301 to where", run)


@case("an SLO that is missed ends with 1, a held one with 0, and one with nothing to measure with 3")
def slo():
    server = Serve()
    url = server.url + "/delay?constant=20ms"
    run = load(url, "-c", "5", "-n", "200", "--slo", "p95<5ms")
    equal(run.code, run.decided(1), "exit code", run)
    expect(re.search(r"p95<5ms missed", run.out), "the summary says so", run)
    outcome = run.doc["slo"][0]
    equal((outcome["expr"], outcome["state"], outcome["violations"], outcome["of"]), ("p95<5ms", "missed", 200, 200), "outcome")
    run = load(url, "-c", "5", "-n", "200", "--slo", "p95:100ms", "--slo", "errors<0.1%", "--slo", "rate>10/s", "--slo", "mean<100ms",
               "--slo", "max<5s")
    equal(run.code, run.decided(0), "exit code", run)
    equal({o["state"] for o in run.doc["slo"]}, {"held"}, "states", run)
    run = load("http://127.0.0.1:%d/" % free_port(), "-n", "5", "--slo", "p95<5ms")
    equal(run.code, 3, "exit code", run)


@case("--csv, --hgrm and --samples write what their readers expect")
def exports():
    server = Nginx()
    folder = scratch()
    paths = {name: os.path.join(folder, name) for name in ("csv", "hgrm", "samples")}
    run = good_load(server.url + "/", "-c", "5", "-n", "1000", *[a for n, p in paths.items() for a in ("--" + n, p)])

    rows = list(csv.reader(io.StringIO(read(paths["csv"]))))
    expect(len(rows) >= 2, "csv has a head and rows", rows[:3])
    expect(all(len(row) == len(rows[0]) for row in rows), "csv rows have one width", rows[:3])

    text = read(paths["hgrm"])
    expect(re.search(r"Value +Percentile +TotalCount +1/\(1-Percentile\)", text), "hgrm head", text[:300])
    points = [line.split() for line in text.splitlines() if re.match(r"\s*[\d.]+\s+[01]\.\d+\s+\d+", line)]
    expect(len(points) > 5, "hgrm rows", text[:300])
    equal(int(points[-1][2]), 1000, "the last row of hgrm counts all")
    values = [float(p[0]) for p in points]
    expect(values == sorted(values), "hgrm is in order", values)
    expect(re.search(r"#\[Mean +=", text) and re.search(r"Total count +=", text), "hgrm tail", text[-300:])

    rows = list(csv.reader(io.StringIO(read(paths["samples"]))))
    equal(len(rows) - 1, 1000, "rows of samples", rows[:2])
    expect(all(len(row) == len(rows[0]) for row in rows), "rows of samples have one width", rows[:3])
    expect(any("status" in name for name in rows[0]), "samples name their columns", rows[0])
    equal(run.code, 0, "exit code", run)


@case("an output that cannot be written ends with 5, after the measurement was printed")
def unwritable():
    if not os.path.exists("/dev/full"):
        raise Skip("there is no /dev/full")
    server = Nginx()
    for option in ("--json", "--csv", "--hgrm", "--samples"):
        run = brunt(*QUIET, "-c", "2", "-n", "200", option, "/dev/full", server.url)
        equal(run.code, 5, "exit code with %s" % option, run)
        expect("/dev/full" in run.err, "the file is named with %s" % option, run)
        expect("p50" in run.out, "the summary was printed with %s" % option, run)


@case("a closed stdout is an output that cannot be written")
def full_stdout():
    if not os.path.exists("/dev/full"):
        raise Skip("there is no /dev/full")
    import subprocess

    from harness import BRUNT, clean_environment
    server = Nginx()
    with open("/dev/full", "wb") as full:
        run = subprocess.run([BRUNT] + QUIET + ["-n", "10", server.url], stdin=subprocess.DEVNULL, stdout=full,
                             stderr=subprocess.PIPE, timeout=30, env=clean_environment())
    equal(run.returncode, 5, "exit code", run.stderr)


SECRET = "hunter2Zq"


@case("secrets are in no output, unless --keep-secrets")
def secrets():
    server = Script(always(answer()))
    userinfo = server.url.replace("http://", "http://bob:%s@" % SECRET)
    import base64
    hidden = [SECRET, base64.b64encode(("bob:" + SECRET).encode()).decode(), base64.b64encode(("ada:" + SECRET).encode()).decode()]
    for url, options in ((userinfo, []), (server.url, ["-u", "ada:" + SECRET]), (server.url, ["--user=ada:" + SECRET]),
                         (server.url, ["-uada:" + SECRET]), (server.url, ["-H", "Authorization: Bearer " + SECRET]),
                         (server.url, ["-H", "cookie: a=" + SECRET]), (server.url, ["-HProxy-Authorization: " + SECRET]),
                         (server.url, ["--data", "password=" + SECRET]), (server.url, ["--body=" + SECRET])):
        folder = scratch()
        files = [os.path.join(folder, name) for name in ("json", "csv", "hgrm", "samples")]
        out = [a for p in files for a in ("--" + os.path.basename(p), p)]
        for extra in (["-v"], ["--explain"], ["--progress", "plain"]):
            run = brunt("run", "--no-store", "-c", "1", "-n", "3", *out, *extra, *options, url)
            equal(run.code, 0, "exit code of %s" % options, run)
            for text in [run.out, run.err] + [read(p) for p in files]:
                for word in hidden:
                    expect(word not in text, "%r of %s is shown" % (word, options or url), text[:3000])
        run = brunt("run", "--no-store", "--once", *options, url)
        for word in hidden:
            expect(word not in run.out + run.err, "--once shows %r of %s" % (word, options or url), run)
    sent = b"\n".join(server.heads)
    expect(SECRET.encode() in sent, "but the server got it")
    expect(b"***" not in sent, "and no stars")
    run = load(server.url, "-n", "1", "-c", "1", "-u", "ada:" + SECRET, "--keep-secrets")
    expect(any(SECRET in word for word in run.doc["run"]["argv"]), "--keep-secrets keeps them", run.doc["run"])


@case("a failing run with a secret in its URL does not show it either")
def secret_in_errors():
    port = free_port()
    for url in ("http://bob:%s@127.0.0.1:%d/" % (SECRET, port), "http://bob:%s@127.0.0.1:99999/" % SECRET,
                "http://bob:%s@no-such-name.invalid/" % SECRET):
        run = brunt(*QUIET, "-n", "1", "--connect-timeout", "3s", url)
        expect(run.code in (2, 3), "exit code", run)
        expect(SECRET not in run.out + run.err, "the password is shown", run)


@case("-q says one line, --percentiles says which, --explain says what they are")
def less_and_more():
    server = Nginx()
    usual = brunt(*QUIET, "-n", "500", "-c", "5", server.url)
    quiet = brunt(*QUIET, "-n", "500", "-c", "5", "-q", server.url)
    equal(quiet.code, 0, "exit code with -q", quiet)
    expect(len(quiet.out) < len(usual.out) / 2, "-q says less", quiet)
    equal(quiet.err, "", "stderr with -q", quiet)
    chosen = brunt(*QUIET, "-n", "500", "-c", "5", "--percentiles", "50,75,99.5", server.url)
    equal(chosen.code, 0, "exit code with --percentiles", chosen)
    latency = [line for line in chosen.out.splitlines() if line.startswith("latency")][0]
    for name in ("p50", "p75", "p99.5"):
        expect(re.search(r"\b%s\b" % re.escape(name), chosen.out), "%s is shown" % name, chosen)
    expect("p90" not in latency, "p90 is not, since it was not asked for", latency)
    explained = brunt(*QUIET, "-n", "500", "-c", "5", "--explain", server.url)
    equal(explained.code, 0, "exit code with --explain", explained)
    expect(len(explained.out) > 2 * len(usual.out), "--explain says more", explained)


@case("--once sends one request and shows it with its answer")
def once():
    server = Script(always(answer(b"hello there", 404, ["X-Mark: 7"])))
    run = brunt("run", "--no-store", "--once", "-H", "X-Sent: 1", server.url)
    equal(server.requests, 1, "requests", run)
    for word in ("GET / HTTP/1.1", "X-Sent: 1", "HTTP/1.1 404", "X-Mark: 7", "hello there"):
        expect(word in run.out, "%r is shown" % word, run)
    server = Script(always(answer(b"\x1b[31mred\x07\x00", headers=["X-Odd: \xff"])))
    run = brunt("run", "--no-store", "--once", server.url)
    expect("\x1b" not in run.out and "\x07" not in run.out, "control bytes of the answer do not reach the terminal", repr(run.out))


@case("plain progress goes to stderr, and the result to stdout")
def progress():
    server = Serve()
    run = brunt("run", "--no-store", "--progress", "plain", "-c", "5", "-d", "3s", server.url + "/delay?constant=10ms")
    equal(run.code, 0, "exit code", run)
    expect(run.err.strip(), "there is progress", run)
    expect("\x1b" not in run.err and "\r" not in run.err, "plain lines", repr(run.err))
    expect("p50" in run.out, "the summary is on stdout", run)


@case("the same seed is told in text and document, and a random one too")
def seed():
    server = Script(always(answer()))
    run = load(server.url, "-n", "2", "-c", "1")
    expect(isinstance(run.doc["run"]["seed"], int), "seed", run.doc["run"])
    expect("seed %d" % run.doc["run"]["seed"] in run.out, "the summary tells it", run)


@case("help and version are on stdout and end with 0")
def help_text():
    for arguments, word in ((["--help"], "run"), (["help"], "serve"), (["help", "run"], "--connections"), (["run", "--help"], "--json"),
                            (["serve", "--help"], "--listen"), (["-V"], "brunt"), (["--version"], "brunt")):
        run = brunt(*arguments)
        equal((run.code, run.err), (0, ""), "exit code and stderr of %s" % arguments, run)
        expect(word in run.out, "%s names %s" % (arguments, word), run)


# All of the contract's part A but location, compressed and sni: they wait for redirects as steps of a plan, for
# the decoding of bodies and for TLS, and are unknown (exit 2) until then, as test_habits.py has it.
PART_A = """connections requests duration ramp close threads warmup timeout connect-timeout drain method header data user
host proxy bind connect-to resolve unix ipv4 ipv6 http expect-status expect-body expect-length slo server seed name tag
note json csv hgrm samples no-store progress color percentiles once strict keep-secrets explain"""


@case("help names every option of part A of the contract but three")
def every_option():
    run = brunt("help", "run")
    missing = [name for name in PART_A.split() if not re.search(r"--%s\b" % name, run.out)]
    equal(missing, [], "options that are not there")


sys.exit(main())
