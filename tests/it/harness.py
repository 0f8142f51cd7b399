# SPDX-License-Identifier: Apache-2.0
"""What the tests against real servers stand on: start a server, run brunt, compare, say TAP.

A test file is a list of functions marked @case("a sentence"); main() runs them in order. A case
fails by raising, is skipped by raising Skip. Everything that waits has a limit. Only loopback is
used, and only processes started here are ended, by their id.

brunt comes from the environment variable BRUNT, or from build/brunt beside the sources.
"""

import contextlib
import json
import os
import pwd
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BRUNT = os.environ.get("BRUNT") or os.path.join(ROOT, "build", "brunt")
SCHEMA = os.path.join(ROOT, "doc", "schema", "brunt.result-1.schema.json")
PAGES = {"/": 555, "/4k": 4096, "/180k": 184320}
IS_ROOT = os.geteuid() == 0

# The words of the contract; a cause outside this list is a fault by itself.
CAUSES = {
    "dns", "connect-refused", "connect-timeout", "connect-other", "no-port", "no-descriptor", "tls",
    "stale-connection", "reset", "closed-early", "truncated", "protocol", "timeout-send",
    "timeout-first-byte", "timeout-body", "status", "check", "redirect", "cancelled",
}


class Skip(Exception):
    """Raised by a case that cannot run here; the text says why."""


class Failed(Exception):
    """Raised by a case whose expectation does not hold."""


# --- expectations -------------------------------------------------------------------------------


def expect(condition, text, *details):
    if not condition:
        raise Failed("\n".join([text] + [str(d) for d in details]))


def equal(got, want, what, *details):
    if got != want:
        raise Failed("\n".join(["%s: got %r, want %r" % (what, got, want)] + [str(d) for d in details]))


def between(got, low, high, what, *details):
    if got is None or not low <= got <= high:
        text = "%s: got %r, want %r..%r" % (what, got, low, high)
        raise Failed("\n".join([text] + [str(d) for d in details]))


# --- cases and TAP ------------------------------------------------------------------------------

_cases = []


def case(sentence, *arguments):
    """Registers a function as a case; extra arguments are handed to it."""

    def mark(function):
        _cases.append((sentence, function, arguments))
        return function

    return mark


def add_case(sentence, function, *arguments):
    _cases.append((sentence, function, arguments))


def note(text):
    """A line of comment in the TAP output."""
    for line in str(text).splitlines():
        print("# " + line, flush=True)


def main():
    """Runs the cases whose sentence holds every word of the command line; TAP on stdout."""
    words = sys.argv[1:]
    if not os.access(BRUNT, os.X_OK):
        print("1..0 # SKIP no brunt at %s" % BRUNT)
        return 0
    chosen = [c for c in _cases if all(word in c[0] for word in words)]
    print("TAP version 13\n1..%d" % len(chosen), flush=True)
    bad = 0
    for number, (sentence, function, arguments) in enumerate(chosen, 1):
        began = time.monotonic()
        try:
            function(*arguments)
            print("ok %d - %s" % (number, sentence), flush=True)
        except Skip as why:
            print("ok %d - %s # SKIP %s" % (number, sentence, why), flush=True)
        except Exception as why:
            bad += 1
            print("not ok %d - %s" % (number, sentence), flush=True)
            note(why if isinstance(why, Failed) else traceback.format_exc())
        finally:
            scrap()
        took = time.monotonic() - began
        if took > 5:
            note("took %.1f s" % took)
    return 1 if bad else 0


# --- things to clean up, newest first -------------------------------------------------------------

_scrap = []


def at_end(function):
    """Calls function when the running case is over, whatever came of it."""
    _scrap.append(function)


def scrap():
    while _scrap:
        with contextlib.suppress(Exception):
            _scrap.pop()()


def scratch():
    """A folder of the running case, readable by the servers' own users."""
    path = tempfile.mkdtemp(prefix="brunt-it-")
    os.chmod(path, 0o755)
    at_end(lambda: shutil.rmtree(path, ignore_errors=True))
    return path


# --- ports --------------------------------------------------------------------------------------


def free_port(family=socket.AF_INET, host="127.0.0.1"):
    """A port outside the ephemeral range, so that no client of a test can be sitting on it."""
    for port in range(11000 + os.getpid() % 9000, 32000):
        with socket.socket(family, socket.SOCK_STREAM) as sock:
            try:
                sock.bind((host, port))
                return port
            except OSError:
                continue
    raise Skip("no free port")


def have_ipv6():
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as sock:
            sock.bind(("::1", 0))
        return True
    except OSError:
        return False


def wait_until(condition, seconds, what):
    """Polls; raises Failed when it does not come true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise Failed("%s: not within %g s" % (what, seconds))
        time.sleep(0.01)


def accepts(address):
    family = socket.AF_UNIX if isinstance(address, str) else (
        socket.AF_INET6 if ":" in address[0] else socket.AF_INET)
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.settimeout(1)
        try:
            sock.connect(address)
            return True
        except OSError:
            return False


def need_descriptors(count):
    """Raises the soft limit for this process and its children, or skips."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        if hard != resource.RLIM_INFINITY and hard < count:
            if not IS_ROOT:
                raise Skip("%d descriptors needed, the hard limit is %d" % (count, hard))
            hard = count
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
        except (OSError, ValueError) as why:
            raise Skip("%d descriptors needed: %s" % (count, why)) from why


# --- processes ----------------------------------------------------------------------------------


def need(program):
    path = shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin:/usr/bin")
    if not path:
        raise Skip("%s is not installed" % program)
    return path


def stop_process(process, seconds=5):
    """Ends a process started here: politely, then not."""
    if process.poll() is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGCONT)
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(seconds)


def pinned(arguments, core):
    return arguments if core is None else ["taskset", "-c", str(core)] + arguments


class Server:
    """A server process in a folder of its own. Fields: port, url, dir."""

    name = "server"

    def launch(self, arguments, ready, seconds=10):
        self.output = open(os.path.join(self.dir, "output"), "wb+")
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.output, cwd=self.dir)
        at_end(self.stop)
        deadline = time.monotonic() + seconds
        while not ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.output.seek(0)
                said = self.output.read(2000).decode(errors="replace")
                raise Failed("%s did not start: %s" % (self.name, said))
            time.sleep(0.02)

    def stop(self):
        stop_process(self.process)

    def log_lines(self):
        """The access log so far, without the lines of our own status queries."""
        with open(self.log_path, "r", errors="replace") as log:
            return [line.rstrip("\n") for line in log]

    def settled_lines(self, want=None, seconds=5):
        """The access log once it has `want` lines, or has not grown for a while: a server writes
        a line after the answer went out."""
        deadline = time.monotonic() + seconds
        last, since = -1, time.monotonic()
        while True:
            count = self.count_lines()
            if count != last:
                last, since = count, time.monotonic()
            quiet = time.monotonic() - since
            if (count == want and quiet > 0.05) or quiet > 1 or time.monotonic() > deadline:
                return count
            time.sleep(0.01)

    def count_lines(self):
        count = 0
        with open(self.log_path, "rb") as log:
            while True:
                chunk = log.read(1 << 20)
                if not chunk:
                    return count
                count += chunk.count(b"\n")

    def truncate_log(self):
        """An empty log; both servers append, so they go on at its start."""
        os.truncate(self.log_path, 0)


def write_pages(folder):
    os.makedirs(folder, exist_ok=True)
    for path, size in PAGES.items():
        name = "index.html" if path == "/" else path[1:]
        with open(os.path.join(folder, name), "wb") as page:
            head = b"<!doctype html><title>brunt</title>\n"
            page.write((head + b"x" * size)[:size])


NGINX_CONF = """
daemon off;
%(user)s
worker_processes %(workers)d;
worker_rlimit_nofile %(descriptors)d;
pid %(dir)s/pid;
error_log %(dir)s/error.log warn;
%(affinity)s
events { worker_connections %(connections)d; %(events)s }
http {
    log_format brunt '$remote_addr|$remote_user|$request|$status|$connection|$connection_requests|'
                     '$bytes_sent|$request_length|$http_host|$http_user_agent|$server_protocol|$http_connection';
    access_log %(log)s;
    client_body_temp_path %(dir)s/body;
    proxy_temp_path %(dir)s/proxy;
    fastcgi_temp_path %(dir)s/fastcgi;
    uwsgi_temp_path %(dir)s/uwsgi;
    scgi_temp_path %(dir)s/scgi;
    client_max_body_size 64m;
    keepalive_requests %(keepalive_requests)d;
    keepalive_timeout 300;
    default_type text/html;
    %(http)s
    server {
        listen 127.0.0.1:%(port)d backlog=4096;
        %(listen)s
        root %(dir)s/www;
        location = /status { stub_status; access_log off; }
        location = /post { return 200 "thank you\\n"; }
        location = /none { return 204; }
        location = /missing { return 404; }
        location = /old { return 301 https://example.invalid/; }
        %(server)s
    }
}
"""


class Nginx(Server):
    """nginx with its own configuration. unix: also at this path in its folder; ipv6: also at [::1]
    on the same port; bench: no log, and the settings of a server under test."""

    name = "nginx"

    def __init__(self, keepalive_requests=1000000000, workers=1, unix=False, ipv6=False, bench=False,
                 connections=8192, core=None, listen="", server=""):
        program = need("nginx")
        need_descriptors(min(connections + 500, 20000))
        self.dir = scratch()
        self.port = free_port()
        self.unix = os.path.join(self.dir, "socket") if unix else None
        self.log_path = os.path.join(self.dir, "access.log")
        write_pages(os.path.join(self.dir, "www"))
        if unix:
            listen += "listen unix:%s backlog=4096;" % self.unix
        if ipv6:
            listen += "listen [::1]:%d backlog=4096;" % self.port
        fast = "open_file_cache max=100 inactive=1h; tcp_nodelay on; "
        image = "location = /180k { sendfile on; tcp_nopush on; }"
        conf = NGINX_CONF % {
            "dir": self.dir, "port": self.port, "workers": workers, "connections": connections,
            "descriptors": connections + 400,
            "user": "user %s;" % pwd.getpwuid(0).pw_name if IS_ROOT else "",
            "affinity": "", "events": "multi_accept on;" if bench else "",
            "log": "off" if bench else self.log_path + " brunt",
            "keepalive_requests": keepalive_requests,
            "http": fast + "sendfile off;" if bench else "sendfile on;",
            "listen": listen, "server": server + (image if bench else ""),
        }
        path = os.path.join(self.dir, "nginx.conf")
        with open(path, "w") as file:
            file.write(conf)
        self.url = "http://127.0.0.1:%d" % self.port
        self.launch(pinned([program, "-p", self.dir, "-e", os.path.join(self.dir, "error.log"), "-c", path], core),
                    lambda: accepts(("127.0.0.1", self.port)))

    def served(self):
        """Requests answered so far by its own count, this query included."""
        with socket.create_connection(("127.0.0.1", self.port), 5) as sock:
            sock.sendall(b"GET /status HTTP/1.0\r\n\r\n")
            text = b""
            while True:
                more = sock.recv(4096)
                if not more:
                    break
                text += more
        return int(re.search(rb"\n\s*\d+ \d+ (\d+)", text).group(1))


APACHE_CONF = """
ServerRoot %(dir)s
DefaultRuntimeDir %(dir)s
PidFile %(dir)s/pid
Mutex pthread
ServerName localhost
Listen 127.0.0.1:%(port)d
ListenBackLog 4096
LoadModule mpm_event_module %(modules)s/mod_mpm_event.so
LoadModule authz_core_module %(modules)s/mod_authz_core.so
LoadModule dir_module %(modules)s/mod_dir.so
LoadModule mime_module %(modules)s/mod_mime.so
TypesConfig /dev/null
DocumentRoot %(dir)s/www
DirectoryIndex index.html
<Directory %(dir)s/www>
    Require all granted
</Directory>
%(user)s
Timeout 60
KeepAlive On
MaxKeepAliveRequests %(keepalive_requests)d
KeepAliveTimeout 60
StartServers 2
ServerLimit 4
ThreadLimit 64
ThreadsPerChild 64
MinSpareThreads 64
MaxSpareThreads 256
MaxRequestWorkers 256
AsyncRequestWorkerFactor 20
GracefulShutdownTimeout 1
ErrorLog %(dir)s/error.log
LogLevel warn
LogFormat "%%h|%%u|%%r|%%>s|%%k|%%O" brunt
CustomLog %(log)s brunt
"""


class Apache(Server):
    """apache2 with the event module and its own configuration."""

    name = "apache2"

    def __init__(self, keepalive_requests=0):
        program = need("apache2")
        modules = "/usr/lib/apache2/modules"
        if not os.path.exists(modules + "/mod_mpm_event.so"):
            raise Skip("apache2 has no event module")
        need_descriptors(6000)
        self.dir = scratch()
        self.port = free_port()
        self.log_path = os.path.join(self.dir, "access.log")
        write_pages(os.path.join(self.dir, "www"))
        user = ""
        if IS_ROOT:
            owner = "www-data" if any(p.pw_name == "www-data" for p in pwd.getpwall()) else "nobody"
            user = "User %s\nGroup #%d" % (owner, pwd.getpwnam(owner).pw_gid)
        path = os.path.join(self.dir, "apache.conf")
        with open(path, "w") as file:
            file.write(APACHE_CONF % {"dir": self.dir, "port": self.port, "modules": modules, "user": user,
                                      "log": self.log_path, "keepalive_requests": keepalive_requests})
        self.url = "http://127.0.0.1:%d" % self.port
        self.launch([program, "-DFOREGROUND", "-f", path], lambda: accepts(("127.0.0.1", self.port)))


class Serve(Server):
    """`brunt serve`. log: keep the true hold of each answer."""

    name = "brunt serve"

    def __init__(self, *options, log=False, core=None):
        self.dir = scratch()
        self.port = free_port()
        self.log_path = os.path.join(self.dir, "serve.log")
        arguments = [BRUNT, "serve", "--listen", "127.0.0.1:%d" % self.port] + list(options)
        if log:
            arguments += ["--log", self.log_path]
        self.url = "http://127.0.0.1:%d" % self.port
        self.launch(pinned(arguments, core), lambda: accepts(("127.0.0.1", self.port)))

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)


# --- a server whose answers are written byte by byte ------------------------------------------------


class Talk:
    """One connection of a Script: reads requests, sends bytes. number counts from 1."""

    def __init__(self, script, sock, number):
        self.script, self.sock, self.number = script, sock, number
        self.rest = b""
        self.requests = 0

    def request(self):
        """The next request's head, its body read and thrown away; None when the client is gone."""
        while b"\r\n\r\n" not in self.rest:
            if not self.more():
                return None
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        self.requests += 1
        self.script.count(head)
        return head

    def drop_body(self, head):
        length = re.search(rb"(?im)^content-length:\s*(\d+)", head)
        left = int(length.group(1)) if length else 0
        while left > len(self.rest):
            if not self.more():
                return
        self.rest = self.rest[left:]

    def more(self):
        try:
            data = self.sock.recv(65536)
        except OSError:
            return False
        self.rest += data
        return bool(data)

    def send(self, data):
        """False when the client is gone."""
        try:
            self.sock.sendall(data)
            return True
        except OSError:
            return False

    def wait_gone(self, seconds=30):
        """Holds the connection open until the client leaves or the server is stopped."""
        self.sock.settimeout(0.2)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not self.script.stopped:
            try:
                if not self.sock.recv(65536):
                    return
            except socket.timeout:
                continue
            except OSError:
                return


def answer(body=b"ok", status=200, headers=(), version="1.1", length=True):
    lines = ["HTTP/%s %d Status" % (version, status)] + list(headers)
    if length:
        lines.append("Content-Length: %d" % len(body))
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


class Script:
    """A server in threads of this process: play(talk) is called for every connection and the
    connection is closed when it returns. Counts what it read: heads[], requests, connections."""

    def __init__(self, play, backlog=4096):
        self.play = play
        self.lock = threading.Lock()
        self.requests, self.connections, self.live, self.most_live = 0, 0, 0, 0
        self.heads = []
        self.stopped = False
        self.talks = set()
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.port = free_port()
        self.sock.bind(("127.0.0.1", self.port))
        self.sock.listen(backlog)
        self.sock.settimeout(0.2)
        self.url = "http://127.0.0.1:%d/" % self.port
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()
        at_end(self.stop)

    def accept(self):
        while not self.stopped:
            try:
                sock, _ = self.sock.accept()
            except socket.timeout:
                continue
            except OSError:
                return
            sock.settimeout(60)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def serve(self, sock):
        with self.lock:
            self.connections += 1
            self.live += 1
            self.most_live = max(self.most_live, self.live)
            talk = Talk(self, sock, self.connections)
            self.talks.add(talk)
        try:
            self.play(talk)
        finally:
            sock.close()
            with self.lock:
                self.live -= 1
                self.talks.discard(talk)

    def count(self, head):
        with self.lock:
            self.requests += 1
            if len(self.heads) < 1000:
                self.heads.append(head)

    def stop(self):
        self.stopped = True
        self.sock.close()
        with self.lock:
            for talk in self.talks:
                with contextlib.suppress(OSError):
                    talk.sock.shutdown(socket.SHUT_RDWR)
        self.thread.join(2)


def always(data):
    """A play that gives the same answer to every request."""

    def play(talk):
        while True:
            head = talk.request()
            if head is None or not talk.send(data):
                return

    return play


# --- brunt --------------------------------------------------------------------------------------


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
        return Run(self.process.returncode, out, err, wall, doc, self.peak)

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
    """totals against the server's own count: equal, but for what was cut at the end."""
    started = run.doc["totals"]["started"] + run.doc["totals"]["retried"]
    between(lines, started - cut, started, "lines in the server's log", run)


# --- statistics ---------------------------------------------------------------------------------


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
