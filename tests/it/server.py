# SPDX-License-Identifier: Apache-2.0
"""Real servers with configurations of their own, on free loopback ports, in folders of their own.

Everything that waits has a limit; only processes started here are ended, by their id.
"""

import contextlib
import os
import pwd
import re
import resource
import shutil
import signal
import socket
import subprocess
import time

from tap import BRUNT, Failed, Skip, at_end, scratch

PAGES = {"/": 555, "/4k": 4096, "/180k": 184320}
EMPTY = "/empty"  # beside them, a page of no bytes
TLS_VERSIONS = ("TLSv1.2", "TLSv1.3")
IS_ROOT = os.geteuid() == 0


# Ports.


_given = set()


def free_port(family=socket.AF_INET, host="127.0.0.1"):
    """A port outside the ephemeral range, so that no client of a test can be sitting on it. Never the
    same one twice: a server may need several before it listens."""
    for port in range(11000 + os.getpid() % 9000, 32000):
        if port in _given:
            continue
        with socket.socket(family, socket.SOCK_STREAM) as sock:
            try:
                sock.bind((host, port))
                _given.add(port)
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


# Processes.


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
    """A server process in a folder of its own. Fields: port, url, dir; columns names the fields of a
    line of its access log, which are separated by bars."""

    name = "server"
    columns = ()

    def launch(self, arguments, ready, seconds=10, stdout=None, env=None):
        self.output = open(os.path.join(self.dir, "output"), "wb+")
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=stdout or self.output, stderr=self.output, cwd=self.dir, env=env)
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
        """The access log so far, of requests alone."""
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

    def rows(self, want):
        """The access log as a list of dicts by columns, once it has `want` lines or has not grown for a while."""
        self.settled_lines(want)
        return [dict(zip(self.columns, line.split("|"))) for line in self.log_lines()]

    def truncate_log(self):
        """An empty log; the servers append, so they go on at its start. Some open it late."""
        with open(self.log_path, "wb"):
            pass


def write_pages(folder):
    os.makedirs(folder, exist_ok=True)
    for path, size in [*PAGES.items(), (EMPTY, 0)]:
        name = "index.html" if path == "/" else path[1:]
        with open(os.path.join(folder, name), "wb") as page:
            head = b"<!doctype html><title>brunt</title>\n"
            page.write((head + b"x" * size)[:size])


LINE, THE_END = 64, "the end"  # of a dynamic page: bytes of each of its lines, and the text after them

SCRIPTS = {
    "lines.sh": """#!/bin/sh
printf 'Content-Type: text/html\\n\\n'
seq -f %063.0f "$QUERY_STRING"
printf 'the end'
""",
    "digest.sh": """#!/bin/sh
printf 'Content-Type: text/plain\\n\\n'
exec md5sum
""",
}


def write_scripts(folder):
    """CGI scripts: lines.sh?N answers N lines and the end, digest.sh the MD5 of what was posted to it."""
    os.makedirs(folder, exist_ok=True)
    for name, text in SCRIPTS.items():
        path = os.path.join(folder, name)
        with open(path, "w") as script:
            script.write(text)
        os.chmod(path, 0o755)


def lines_page(count):
    """The length of a page of so many lines, and a text that only the whole page holds."""
    return count * LINE + len(THE_END), THE_END


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
                     '$bytes_sent|$request_length|$http_host|$http_user_agent|$server_protocol|$http_connection|'
                     '$http_expect|$ssl_protocol|$ssl_session_reused|$ssl_server_name|$ssl_client_s_dn';
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


NGINX_SITE = "server { listen 127.0.0.1:%d ssl; server_name %s; ssl_certificate %s; ssl_certificate_key %s; root www; }\n"


class Nginx(Server):
    """nginx with its own configuration. unix: also at this path in its folder; ipv6: also at [::1]
    on the same port; tls: also by TLS of these versions on tls_port, with this certificate;
    sites: more servers there, {name: certificate}; http, server: more of these blocks; bench: no log, and the settings of a server under test."""

    name = "nginx"
    columns = ("client", "user", "request", "status", "connection", "use", "sent", "received", "host", "agent", "version",
               "keep", "expect", "tls", "resumed", "sni", "subject")

    def __init__(self, keepalive_requests=1000000000, workers=1, unix=False, ipv6=False, bench=False,
                 connections=8192, core=None, listen="", http="", server="", tls=None,
                 versions=TLS_VERSIONS, sites=None):
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
        if tls:
            self.tls_port = free_port()
            self.tls_url = "https://127.0.0.1:%d" % self.tls_port
            listen += "listen 127.0.0.1:%d ssl default_server backlog=4096; ssl_certificate %s; ssl_certificate_key %s;" % (
                self.tls_port, tls.chain, tls.key)
            http += "ssl_protocols %s;\n" % " ".join(versions)
            for name, site in (sites or {}).items():
                http += NGINX_SITE % (self.tls_port, name, site.chain, site.key)
        fast = "open_file_cache max=100 inactive=1h; tcp_nodelay on; "
        image = "location = /180k { sendfile on; tcp_nopush on; }"
        conf = NGINX_CONF % {
            "dir": self.dir, "port": self.port, "workers": workers, "connections": connections,
            "descriptors": connections + 400,
            "user": "user %s;" % pwd.getpwuid(0).pw_name if IS_ROOT else "",
            "affinity": "", "events": "multi_accept on;" if bench else "",
            "log": "off" if bench else self.log_path + " brunt",
            "keepalive_requests": keepalive_requests,
            "http": http + (fast + "sendfile off;" if bench else "sendfile on;"),
            "listen": listen, "server": server + (image if bench else ""),
        }
        path = os.path.join(self.dir, "nginx.conf")
        with open(path, "w") as file:
            file.write(conf)
        self.url = "http://127.0.0.1:%d" % self.port
        self.launch(pinned([program, "-p", self.dir, "-e", os.path.join(self.dir, "error.log"), "-c", path], core),
                    lambda: accepts(("127.0.0.1", self.port)))

    def counts(self):
        """By its own count so far, this query included: connections accepted, requests answered."""
        with socket.create_connection(("127.0.0.1", self.port), 5) as sock:
            sock.sendall(b"GET /status HTTP/1.0\r\n\r\n")
            text = b""
            while True:
                more = sock.recv(4096)
                if not more:
                    break
                text += more
        accepted, _, requests = re.search(rb"\n\s*(\d+) (\d+) (\d+)", text).groups()
        return int(accepted), int(requests)


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
%(more)s
LogFormat "%%h|%%u|%%r|%%>s|%%k|%%O|%%I|%%{Expect}i%(log_more)s" brunt
CustomLog %(log)s brunt
"""

APACHE_TLS = """
LoadModule ssl_module %(modules)s/mod_ssl.so
LoadModule socache_shmcb_module %(modules)s/mod_socache_shmcb.so
SSLSessionCache shmcb:%(dir)s/sessions(512000)
Listen 127.0.0.1:%(tls_port)d
<VirtualHost 127.0.0.1:%(tls_port)d>
    SSLEngine on
    SSLCertificateFile %(chain)s
    SSLCertificateKeyFile %(key)s
    SSLProtocol -all %(versions)s
    %(tls_more)s
</VirtualHost>
"""


class Apache(Server):
    """apache2 with the event module and its own configuration. tls: also by TLS of these versions on
    tls_port, with this certificate, for which tls_more are more lines; modules: more of these; more: more lines of all."""

    name = "apache2"
    columns = ("client", "user", "request", "status", "use", "sent", "received", "expect", "tls", "resumed", "subject")

    def __init__(self, keepalive_requests=0, tls=None, versions=TLS_VERSIONS, tls_more="", modules=(), more=""):
        program = need("apache2")
        folder = "/usr/lib/apache2/modules"
        if not os.path.exists(folder + "/mod_mpm_event.so"):
            raise Skip("apache2 has no event module")
        need_descriptors(6000)
        self.dir = scratch()
        self.port = free_port()
        self.log_path = os.path.join(self.dir, "access.log")
        write_pages(os.path.join(self.dir, "www"))
        write_scripts(os.path.join(self.dir, "cgi"))
        user = ""
        if IS_ROOT:
            owner = "www-data" if any(p.pw_name == "www-data" for p in pwd.getpwall()) else "nobody"
            user = "User %s\nGroup #%d" % (owner, pwd.getpwnam(owner).pw_gid)
        loads = ["LoadModule %s_module %s/mod_%s.so\n" % (name, folder, name) for name in modules]
        fields = {"dir": self.dir, "port": self.port, "modules": folder, "user": user, "log": self.log_path,
                  "log_more": "", "keepalive_requests": keepalive_requests, "more": "".join(loads) + more}
        if tls:
            self.tls_port = free_port()
            self.tls_url = "https://127.0.0.1:%d" % self.tls_port
            fields.update(tls_port=self.tls_port, chain=tls.chain, key=tls.key, tls_more=tls_more,
                          versions=" ".join("+" + version for version in versions))
            fields["more"] = APACHE_TLS % fields + fields["more"]
            # Of both ports it counts what went through the socket, which is not HTTP's bytes alone.
            self.columns = tuple({"sent": "raw_sent", "received": "raw_received"}.get(name, name) for name in self.columns)
            fields["log_more"] = "|%{SSL_PROTOCOL}x|%{SSL_SESSION_RESUMED}x|%{SSL_CLIENT_S_DN}x"
        path = os.path.join(self.dir, "apache.conf")
        with open(path, "w") as file:
            file.write(APACHE_CONF % fields)
        self.url = "http://127.0.0.1:%d" % self.port
        self.launch([program, "-DFOREGROUND", "-f", path], lambda: accepts(("127.0.0.1", self.port)))


class Serve(Server):
    """`brunt serve`. log: keep the true hold of each answer. tls: with a certificate of its own, for
    clients to trust in the file ca_path. host: the address it listens on."""

    name = "brunt serve"

    def __init__(self, *options, log=False, core=None, tls=False, host="127.0.0.1"):
        self.dir = scratch()
        self.port = free_port(host=host)
        self.log_path = os.path.join(self.dir, "serve.log")
        self.ca_path = os.path.join(self.dir, "ca.pem")
        if tls:
            options += ("--tls", "--tls-ca-out", self.ca_path)
        arguments = [BRUNT, "serve", "--listen", "%s:%d" % (host, self.port)] + list(options)
        if log:
            arguments += ["--log", self.log_path]
        self.url = "%s://%s:%d" % ("https" if tls else "http", host, self.port)
        self.launch(pinned(arguments, core), lambda: accepts((host, self.port)))

    def truncate_log_keeping_names(self):
        """An empty log but for the line of column names. The server appends."""
        wait_until(lambda: self.count_lines() >= 1, 5, "the line of column names")
        with open(self.log_path, "rb") as log:
            names = log.readline()
        os.truncate(self.log_path, len(names))

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)
