# SPDX-License-Identifier: Apache-2.0
"""What the tests against real servers stand on: start a server, run brunt, compare, say TAP.

brunt comes from the environment variable BRUNT, or from build/brunt beside the sources. This file
runs it and checks what must hold for every document; the rest is in tap, server and script.
"""

import json
import os
import resource
import subprocess
import tempfile
import time

from script import Script, Talk, always, answer
from server import (PAGES, Apache, Nginx, Serve, Server, accepts, free_port, have_ipv6, need, need_descriptors, pinned, stop_process,
                    wait_until)
from tap import (BRUNT, ROOT, Failed, Skip, add_case, at_end, between, case, equal, expect, main, note, on_fault, scrap, scratch)

SCHEMA = os.path.join(ROOT, "doc", "schema", "brunt.result-1.schema.json")

# The words of the contract; a cause outside this list is a fault by itself.
CAUSES = {
    "dns", "connect-refused", "connect-timeout", "connect-other", "no-port", "no-descriptor", "tls",
    "stale-connection", "reset", "closed-early", "truncated", "protocol", "timeout-send",
    "timeout-first-byte", "timeout-body", "status", "check", "redirect", "cancelled",
}


def no_constants(word):
    raise ValueError("%s in JSON" % word)


def strict_json(text):
    """As json.loads, but NaN and Infinity are faults."""
    return json.loads(text, parse_constant=no_constants)


class Run:
    """What a run of brunt gave: code, out, err, wall, doc (or None), peak_kb (VmHWM as last seen)."""

    def __init__(self, code, out, err, wall, doc, peak_kb):
        self.code, self.out, self.err, self.wall, self.doc, self.peak_kb = code, out, err, wall, doc, peak_kb

    def __str__(self):
        return "exit %s after %.2f s\nstdout: %s\nstderr: %s\ncounts: %s\ntotals: %s" % (
            self.code, self.wall, self.out[:3000], self.err[:2000],
            self.doc and self.doc.get("counts"), self.doc and self.doc.get("totals"))

    def said(self):
        """All that was printed, in one line: what a wrapped line holds can be looked for."""
        return " ".join((self.out + " " + self.err).split())

    def decided(self, code):
        """The exit code of a decision: code, or 4 when this machine was too busy to carry one."""
        return code if self.doc["validity"]["valid"] else 4

    def check(self, identity):
        """The validity check of that name, or None."""
        for item in self.doc["validity"]["checks"]:
            if item["id"] == identity:
                return item
        return None


def clean_environment(**more):
    environment = dict(os.environ, LC_ALL="C.UTF-8", CI="1", **more)
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        environment.pop(name, None)
    return environment


def peak_kb(pid):
    try:
        with open("/proc/%d/status" % pid) as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1])
    except OSError:
        pass
    return None


_last = []
on_fault.append(lambda: "the last run: %s" % (_last[-1] if _last else "none"))


class Started:
    """brunt under way: process, wall clock, files of its output. finish() waits and gives a Run."""

    def __init__(self, arguments, prefix=(), env=None, limits=None, cwd=None, json_path=None):
        self.json_path = json_path
        self.out = tempfile.TemporaryFile()
        self.err = tempfile.TemporaryFile()
        self.peak = None

        def setup():
            for what, pair in (limits or {}).items():
                resource.setrlimit(what, pair)

        self.began = time.monotonic()
        self.process = subprocess.Popen(
            list(prefix) + [BRUNT] + list(arguments), stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err,
            env=env or clean_environment(), cwd=cwd, preexec_fn=setup if limits else None)
        at_end(lambda: stop_process(self.process))

    def signal(self, number):
        self.process.send_signal(number)

    def finish(self, timeout=60):
        deadline = self.began + timeout
        while self.process.poll() is None:
            self.peak = peak_kb(self.process.pid) or self.peak
            if time.monotonic() > deadline:
                self.process.kill()
                self.process.wait(5)
                raise Failed("brunt did not end within %g s: %s" % (timeout, self.text()))
            time.sleep(0.005)
        wall = time.monotonic() - self.began
        out, err = self.text()
        doc = None
        if self.json_path and os.path.exists(self.json_path):
            with open(self.json_path, "r") as file:
                doc = strict_json(file.read())
        _last[:] = [Run(self.process.returncode, out, err, wall, doc, self.peak)]
        return _last[0]

    def text(self):
        texts = []
        for file in (self.out, self.err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
        return tuple(texts)


def brunt(*arguments, timeout=60, **more):
    """Runs brunt with exactly these arguments."""
    return Started(arguments, **more).finish(timeout)


def start_load(url, *options, **more):
    path = os.path.join(scratch(), "result.json")
    arguments = ["run", "--no-store", "--progress", "none", "--json", path] + list(options)
    return Started(arguments + ([url] if url else []), json_path=path, **more)


def load(url, *options, timeout=60, **more):
    """`brunt run URL` with a JSON document, checked for what must always hold."""
    run = start_load(url, *options, **more).finish(timeout)
    if run.doc is not None:
        conserved(run)
    return run


def good_load(url, *options, code=0, **more):
    """A load that must succeed with nothing failed."""
    run = load(url, *options, **more)
    equal(run.code, code, "exit code", run)
    expect(run.doc is not None, "there is no document", run)
    equal(run.doc["totals"]["failed"], 0, "failed", run)
    return run


def conserved(run):
    """What holds for every document: counts add up, percentiles are in order."""
    for name in ("counts", "totals"):
        counts = run.doc[name]
        equal(counts["ok"] + counts["failed"] + counts["unfinished"], counts["started"],
              "%s: ok + failed + unfinished = started" % name, run)
        equal(sum(counts["by_failure"].values()), counts["failed"], "%s: the causes sum to failed" % name, run)
        expect(set(counts["by_failure"]) <= CAUSES, "unknown cause in %s" % counts["by_failure"], run)
    for name, value in run.doc["counts"].items():
        if isinstance(value, int):
            expect(0 <= value <= run.doc["totals"][name], "counts.%s is not within the totals" % name, run)
    for name, latency in run.doc["latency_ns"].items():
        if not latency or not latency["count"]:
            continue
        points = [latency[p] for p in ("min", "p50", "p75", "p90", "p95", "p99", "p99_9", "p99_99", "max")]
        known = [p for p in points if p is not None]
        expect(known == sorted(known), "the percentiles of %s are out of order: %s" % (name, points), run)
        expect(latency["min"] <= latency["mean"] <= latency["max"], "mean of %s is outside min..max" % name, run)


def matches_log(run, lines, cut=0):
    """totals against the server's own count: equal, but for what was cut at the end. A retry was
    sent twice, and the server may have read the first or closed before."""
    started, retried = run.doc["totals"]["started"], run.doc["totals"]["retried"]
    between(lines, started - cut, started + retried, "lines in the server's log", run)




def quantile(ordered, share):
    """The smallest value with at least that share of the sorted values at or below it."""
    index = max(0, min(len(ordered) - 1, int(-(-share * len(ordered) // 1)) - 1))
    return ordered[index]


def steal_share(before, after):
    """Share of the machine's time that its host took between two cpu_times()."""
    total = sum(after) - sum(before)
    return (after[7] - before[7]) / total if total > 0 and len(after) > 7 else 0.0


def cpu_times():
    with open("/proc/stat") as stat:
        return [int(field) for field in stat.readline().split()[1:9]]


__all__ = [
    "BRUNT", "CAUSES", "PAGES", "ROOT", "SCHEMA", "Apache", "Failed", "Nginx", "Run", "Script", "Serve", "Server", "Skip",
    "Started", "Talk", "accepts", "add_case", "always", "answer", "at_end", "between", "brunt", "case", "clean_environment",
    "conserved", "cpu_times", "equal", "expect", "free_port", "good_load", "have_ipv6", "load", "main", "matches_log", "need",
    "need_descriptors", "note", "peak_kb", "pinned", "quantile", "scrap", "scratch", "start_load", "steal_share", "stop_process",
    "strict_json", "wait_until",
]
