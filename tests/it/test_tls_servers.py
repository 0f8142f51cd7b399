#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads real servers by TLS 1.2 and 1.3: whom brunt trusts, what it shows and asks for, and that the totals are
those of the access log."""

import os
import sys

from certificates import Authority
from haproxy import Haproxy
from harness import PAGES, Apache, Nginx, add_case, between, case, equal, expect, free_port, good_load, load, main
from lighttpd import Lighttpd
from matrix import SIZES, connections_seen, count, ended_by_server
from server import EMPTY, TLS_VERSIONS, lines_page
from shapes import dynamic, posted
from tap import once
from tomcat import Tomcat

authority = once(Authority)
certificate = once(lambda: authority().server())
shown = once(lambda: authority().client())


def haproxy(**more):
    return Haproxy("127.0.0.1:%d" % Nginx().port, **more)


def gnutls(**more):
    return Lighttpd(library="gnutls", **more)


def trusting(*options):
    return ["--cacert", authority().root, *options]


def refused(run, *texts):
    """Nothing was measured, the cause is tls, and one line says why."""
    equal(run.code, 3, "exit code", run)
    equal(len(run.err.strip().split("\n")), 1, "lines on standard error", run)
    expect(any(text in run.err for text in texts), "the line says why: one of %s" % (texts,), run)


# Every server, both versions.


def counted_by_tls(server, version, path, users, close, number=60):
    run, rows = count(server, server.tls_url, path, users, close, *trusting("--tls-version", version[-3:]), number=number)
    connections = len(rows) if close else users
    if "tls" in server.columns:
        equal({row["tls"] for row in rows}, {version}, "versions in the access log", run)
    seen = connections_seen(server, rows)
    expect(seen in (None, connections), "connections at the server: %s" % seen, run)
    equal(run.doc["latency_ns"]["tls"]["count"], connections, "handshakes that were measured", run)
    tls = run.doc["tls"]
    equal((tls["version"], tls["handshakes"], tls["resumed"]), (version, connections, 0), "version and handshakes", run)
    first = run.doc["first_answer"]
    equal((first["status"], first["bytes"], first["address"]), (200, SIZES[path], "127.0.0.1:%d" % server.tls_port),
          "status, bytes and address of the first answer", run)


def by_tls(start, version, close):
    for path in ("/", "/180k"):
        counted_by_tls(start(), version, path, 50, close)


for _name, _make in (("nginx", Nginx), ("apache2", Apache), ("lighttpd with OpenSSL", Lighttpd), ("lighttpd with GnuTLS", gnutls),
                     ("haproxy", haproxy), ("tomcat", Tomcat)):
    _start = once(lambda make=_make: make(tls=certificate()))
    for _version in TLS_VERSIONS:
        for _close in (False, True):
            add_case("-n is the access log of %s by %s, %s connections" % (_name, _version, "short" if _close else "kept-alive"),
                     by_tls, _start, _version, _close)


@case("-n is the access log of nginx by TLS, with one and with 500 users and a page of no bytes")
def few_and_many():
    server = Nginx(tls=certificate())
    for close in (False, True):
        counted_by_tls(server, "TLSv1.3", EMPTY, 1, close, 20)
    counted_by_tls(server, "TLSv1.3", "/4k", 500, False, 600)


# Whom brunt trusts.


@case("a server that nobody vouches for is refused, before a request, and measured with --insecure")
def untrusted():
    server, other = Nginx(tls=certificate()), Authority("another authority")
    for options in ([], ["--cacert", other.root]):
        refused(load(server.tls_url, "-c", "2", "-n", "10", *options), "unable to get local issuer certificate",
                "self-signed certificate in certificate chain")
    equal(server.rows(0), [], "the access log")
    for close in ([], ["--close"]):
        good_load(server.tls_url, "-c", "2", "-n", "10", "--insecure", *close)
    equal(len(server.rows(20)), 20, "lines in the access log")


@case("a certificate that ended, or is for another name, is refused with that reason")
def unfit():
    ended, other = authority().server("ended", expired=True), authority().server("other", "DNS:other.test")
    refused(load(Nginx(tls=ended).tls_url, "-n", "5", *trusting()), "certificate has expired")
    server = Nginx(tls=other)
    refused(load(server.tls_url, "-n", "5", *trusting()), "IP address mismatch")
    refused(load("https://localhost:%d/" % server.tls_port, "-n", "5", *trusting()), "hostname mismatch")
    good_load("https://other.test:%d/4k" % server.tls_port, "-n", "5", *trusting(), "--resolve", "*:%d:127.0.0.1" % server.tls_port)


@case("an authority below the trusted one, and a certificate that vouches for itself, are trusted")
def chains():
    below = Authority("an authority below", above=authority())
    good_load(Nginx(tls=below.server()).tls_url, "-c", "2", "-n", "10", *trusting())
    alone = below.alone()
    server = Nginx(tls=alone)
    good_load(server.tls_url, "-c", "2", "-n", "10", "--cacert", alone.chain)
    refused(load(server.tls_url, "-n", "5", *trusting()), "self-signed certificate")


@case("RSA keys and other curves than the usual one do")
def keys():
    server = Nginx(tls=authority().server("rsa", key=("rsa", "rsa_keygen_bits:2048")), http="ssl_ecdh_curve secp384r1;")
    for close in ([], ["--close"]):
        good_load(server.tls_url, "-c", "2", "-n", "10", *trusting(), *close)


# What brunt asks for and shows.


@case("the name of the URL is asked for and verified, or that of --sni")
def names():
    sites = {name: authority().server(name, "DNS:" + name) for name in ("a.test", "b.test")}
    server = Nginx(tls=certificate(), sites=sites)
    at = trusting("-c", "2", "-n", "10", "--resolve", "*:%d:127.0.0.1" % server.tls_port)
    for url, options, name in (("https://a.test:%d/", [], "a.test"), ("https://b.test:%d/", ["--close"], "b.test"),
                               ("https://localhost:%d/", ["--sni", "b.test"], "b.test"), ("https://127.0.0.1:%d/", [], "-"),
                               ("https://127.0.0.1:%d/", ["--sni", "a.test"], "a.test")):
        server.truncate_log()
        run = good_load(url % server.tls_port, *at, *options)
        rows = server.rows(10)
        equal([row["sni"] for row in rows], [name] * 10, "names asked for with %s %s" % (url, options), run)


def client_certificate(start, rejected):
    server = start()
    own = ["--cert", shown().chain, "--key", shown().key]
    for close in ([], ["--close"]):
        server.truncate_log()
        run = good_load(server.tls_url + "/4k", "-c", "2", "-n", "20", *trusting(*own), *close)
        rows = server.rows(20)
        equal(len(rows), 20, "lines in the access log", run)
        if "subject" in server.columns:
            expect(all(row["subject"].endswith(shown().name) for row in rows), "subjects in the access log", rows[0])
    good_load(server.tls_url + "/4k", "-c", "1", "-n", "5", *trusting("--cert", shown().both))
    run = load(server.tls_url + "/4k", "-c", "2", "-n", "20", *trusting())
    equal(run.code, 3, "exit code without a certificate", run)
    rejected(run)


def by_status(run):
    equal(run.doc["totals"]["by_status"], {"400": 20}, "by_status", run)


def by_alert(run):
    expect("alert certificate required" in run.said() or "alert handshake failure" in run.said(), "it says why", run)
    if run.doc:
        equal(set(run.doc["totals"]["by_failure"]), {"tls"}, "causes", run)


def with_client(make, version, more):
    return once(lambda: make(tls=certificate(), versions=[version], **more()))


for _version in TLS_VERSIONS:
    for _name, _make, _more, _rejected in (
            ("nginx", Nginx, lambda: {"server": "ssl_verify_client on; ssl_client_certificate %s;" % authority().root}, by_status),
            ("apache2", Apache, lambda: {"tls_more": "SSLVerifyClient require\n    SSLCACertificateFile " + authority().root}, by_alert),
            ("haproxy", haproxy, lambda: {"tls_more": "verify required ca-file " + authority().root}, by_alert),
            ("lighttpd", Lighttpd, lambda: {"tls_more": LIGHTTPD_VERIFY % authority().root}, by_alert)):
        add_case("a client certificate is shown to %s by %s, which wants one" % (_name, _version), client_certificate,
                 with_client(_make, _version, _more), _rejected)

LIGHTTPD_VERIFY = """ssl.verifyclient.activate = "enable"
    ssl.verifyclient.enforce = "enable"
    ssl.ca-file = "%s" """


# Sessions, and connections that the server ends.


def resumption(make, word):
    server = make()
    for options, least, most in ((["--tls-resume", "on"], 20, 49), (["--tls-resume", "off"], 0, 0)):
        server.truncate_log()
        run = good_load(server.tls_url + "/", "-c", "5", "-n", "50", "--close", *trusting(*options))
        seen = sum(row["resumed"] == word for row in server.rows(50))
        between(seen, least, most, "handshakes that the server resumed", run)
        equal(run.doc["tls"]["resumed"], seen, "handshakes that were resumed", run)
        equal(run.doc["tls"]["handshakes"], 50, "handshakes", run)


for _name, _make, _word, _more in (("nginx with a cache", Nginx, "r", {"http": "ssl_session_cache shared:s:1m; ssl_session_tickets off;"}),
                                   ("nginx with tickets", Nginx, "r", {}), ("apache2", Apache, "Resumed", {}), ("haproxy", haproxy, "1", {})):
    for _version in TLS_VERSIONS:
        add_case("short connections by %s are resumed as %s counts them, or not when told so" % (_version, _name), resumption,
                 lambda make=_make, more=_more, version=_version: make(tls=certificate(), versions=[version], **more), _word)


@case("a server that wants a certificate for one page alone asks for it within the connection")
def renegotiation():
    server = Apache(tls=certificate(), versions=["TLSv1.2"],
                    tls_more="SSLCACertificateFile %s\n<Location /180k>\nSSLVerifyClient require\n</Location>" % authority().root)
    own = trusting("--cert", shown().both)
    for close in ([], ["--close"]):
        server.truncate_log()
        good_load(server.tls_url + "/180k", "-c", "3", "-n", "30", *own, *close)
        expect(all(row["subject"].endswith(shown().name) for row in server.rows(30)), "subjects in the access log")
    good_load(server.tls_url + "/4k", "-c", "3", "-n", "30", *own)
    run = load(server.tls_url + "/180k", "-c", "2", "-n", "20", *trusting())
    equal((run.code, run.doc["totals"]["failed"]), (3, 20), "exit code and failures without a certificate", run)


@case("TLS connections that the server ends after 10 requests are opened again, with no failure")
def ended():
    for version in TLS_VERSIONS:
        server = Nginx(tls=certificate(), versions=[version], keepalive_requests=10)
        ended_by_server(server, 10, *trusting(), url=server.tls_url)


# Answers and bodies.

SCRIPTS = """
ScriptSock cgid.sock
ScriptAlias /cgi/ cgi/
<Directory cgi>
    Require all granted
</Directory>
"""


@case("dynamic pages and posted bodies go by TLS as they do without")
def shapes_by_tls():
    server = Apache(tls=certificate(), modules=["cgid", "alias"], more=SCRIPTS)
    options = trusting()
    dynamic(lambda: server, {"/cgi/lines.sh?5000": lines_page(5000)}, *options, url=server.tls_url)
    posted(lambda: server, "/cgi/digest.sh", *options, url=server.tls_url)


# Tunnels.


def tunnels(allowed):
    return Apache(modules=["proxy", "proxy_connect"], more="ProxyRequests On\nAllowCONNECT %s\n" % allowed)


@case("a proxy is asked for a tunnel to an https server, once a connection")
def tunnel():
    server = Nginx(tls=certificate())
    proxy = tunnels(server.tls_port)
    for close, connections in ([], 5), (["--close"], 50):
        for each in (proxy, server):
            each.truncate_log()
        run = good_load(server.tls_url + "/4k", "-x", proxy.url, "-c", "5", "-n", "50", *trusting(), *close)
        equal(len(server.rows(50)), 50, "lines in the log of the server", run)
        equal(connections_seen(server, server.rows(50)), connections, "connections at the server", run)
        asked = [row for row in proxy.rows(connections) if row["status"] == "200"]
        equal({row["request"] for row in asked}, {"CONNECT 127.0.0.1:%d HTTP/1.1" % server.tls_port}, "requests at the proxy", run)
        between(len(asked), connections, connections + 1, "tunnels, and perhaps that of the first look", run)


@case("a proxy that refuses a tunnel, and one that finds nobody, are named with their answer")
def no_tunnel():
    port = free_port()
    for proxy, status in (tunnels(1), "403"), (tunnels(port), "503"):
        run = load("https://127.0.0.1:%d/" % port, "-x", proxy.url, "-n", "5")
        equal(run.code, 3, "exit code", run)
        expect(status in run.err and "proxy" in run.err, "the line says %s of the proxy" % status, run)


# Those who do not speak TLS.


@case("a server that does not speak TLS is refused with a reason, and the other way round it is an answer")
def mixed():
    server = Nginx(tls=certificate())
    refused(load("https://127.0.0.1:%d/" % server.port, "-n", "5", *trusting()), "does it speak plain http?")
    run = load("http://127.0.0.1:%d/" % server.tls_port, "-c", "2", "-n", "10")
    equal(run.doc["totals"]["by_status"], {"400": 10}, "by_status", run)


@case("a version of TLS that the server does not speak is refused with a reason")
def version():
    for spoken, wanted in ("TLSv1.2", "1.3"), ("TLSv1.3", "1.2"):
        server = Nginx(tls=certificate(), versions=[spoken])
        refused(load(server.tls_url, "-n", "5", *trusting("--tls-version", wanted)), "protocol version")
        good_load(server.tls_url, "-n", "5", *trusting())


@case("files of certificates that are not there or not right are named, and nothing is sent")
def files():
    server = Nginx(tls=certificate())
    for options, word in ((["--cacert", "/nowhere/ca"], "/nowhere/ca"), (["--cert", "/nowhere/cert"], "/nowhere/cert"),
                          (["--cacert", os.path.join(server.dir, "nginx.conf")], "nginx.conf"),
                          (["--cert", shown().chain, "--key", certificate().key], certificate().key)):
        run = load(server.tls_url, "-n", "5", *options)
        equal((run.code, run.out), (2, ""), "exit code and stdout with %s" % options, run)
        expect(word in run.err, "the line names the file", run)
    equal(server.rows(0), [], "the access log")


sys.exit(main())
