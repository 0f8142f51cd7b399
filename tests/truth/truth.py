# SPDX-License-Identifier: Apache-2.0
"""What the truth tests share: a draw whose own generator or machine was disturbed is drawn again.

A valid draw that misses fails at once; after some disturbed ones the case is skipped with their
figures. The server stands on core 0, the client on core 1, when there are two.
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "it"))

import harness  # noqa: E402
from harness import Skip, cpu_times, note, quantile, steal_share  # noqa: E402

DRAWS = 5
STEAL_MAX = 0.01
MS = 1e6


def cores():
    """The server's core and the client's, or None twice on one core."""
    allowed = sorted(os.sched_getaffinity(0))
    return (allowed[0], allowed[1]) if len(allowed) > 1 else (None, None)


def disturbed(run, steal, on_trial):
    """Why this draw says nothing, or None. The checks on trial cannot excuse themselves."""
    if run.code != 0:
        raise harness.Failed("the run failed\n%s" % run)
    if not run.doc["validity"]["valid"]:
        bad = [c for c in run.doc["validity"]["checks"] if c["level"] == "fail"]
        if not all(c["id"] in on_trial for c in bad):
            return "invalid: " + "; ".join("%s %s" % (c["id"], c["text"]) for c in bad)
    if steal > STEAL_MAX:
        return "steal %.1f %%" % (100 * steal)
    return None


def drawn(measure, judge, figures, on_trial=(), draws=DRAWS):
    """measure() gives a run, or several; judge(it) fails when it misses; figures(it) is a line."""
    reasons = []
    for _ in range(draws):
        before = cpu_times()
        got = measure()
        steal = steal_share(before, cpu_times())
        runs = got if isinstance(got, list) else [got]
        reason = next((r for r in (disturbed(run, steal, on_trial) for run in runs) if r), None)
        note(figures(got) + (" (drawn again: %s)" % reason if reason else ""))
        if reason is None:
            judge(got)
            return
        reasons.append(reason)
    raise Skip("%d draws were disturbed: %s" % (draws, reasons[-1]))


def load(url, *options, threads=1, **more):
    _, core = cores()
    prefix = ["taskset", "-c", str(core)] if core is not None else []
    return harness.load(url, "-t", str(threads), *options, prefix=prefix, **more)


def holds(server):
    """The true holds of `serve --log` in ns, sorted. The columns are named in its first line."""
    lines = server.log_lines()
    names = lines[0].lstrip("# ").split()
    column = names.index("hold_ns")
    return sorted(int(line.split()[column]) for line in lines[1:] if not line.startswith("#"))


def column(server, name):
    lines = server.log_lines()
    at = lines[0].lstrip("# ").split().index(name)
    return [int(line.split()[at]) for line in lines[1:] if not line.startswith("#")]


WRK_UNITS = {"us": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9}


def wrk(url, connections, seconds, core=None):
    """wrk with one thread: {rate, p50, p99 (ns), requests}."""
    program = harness.need("wrk")
    words = harness.pinned([program, "-t1", "-c%d" % connections, "-d%ds" % seconds, "--latency", url], core)
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds + 30)
    text = done.stdout

    def share(percent):
        found = re.search(r"%d%%\s+([\d.]+)(us|ms|s|m)\b" % percent, text)
        return float(found.group(1)) * WRK_UNITS[found.group(2)]

    return {"rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)), "p50": share(50), "p99": share(99),
            "requests": int(re.search(r"(\d+) requests in", text).group(1))}


__all__ = ["DRAWS", "MS", "column", "cores", "drawn", "holds", "load", "quantile", "wrk"]
