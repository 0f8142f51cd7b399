/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/habits.h"

#define LATER "not in this version yet"

static bool is_number(struct str value)
{
    for (size_t i = 0; i < value.len; i++) {
        if ((value.p[i] < '0' || value.p[i] > '9') && value.p[i] != '.') {
            return false;
        }
    }
    return value.len > 0;
}

static bool is_script(struct str value)
{
    return str_ends(value, STR(".lua"));
}

static bool has_no_colon(struct str value)
{
    return value.p != NULL && str_find(value, ':') == value.len;
}

static bool has_colon(struct str value)
{
    return str_find(value, ':') < value.len;
}

static bool is_document(struct str value)
{
    return value.len > 0 && (value.p[0] == '{' || value.p[0] == '[' || value.p[0] == '"');
}

const struct opt_habit habits[] = {
    /* letters */
    { "-a", NULL, "basic authentication (hey's and oha's -a) is -u NAME:PASS" },
    { "-A", NULL,
      "basic authentication (ab's -A) is -u NAME:PASS; a header (hey's, curl's, siege's -A) is "
      "-H 'Accept: TYPE' or -H 'User-Agent: NAME'" },
    { "-b", NULL,
      "no pause between requests (siege's -b) is the default; a cookie (curl's -b) is "
      "-H 'Cookie: A=B'; socket buffers (ab's -b) are left to the kernel; pauses will be "
      "--think, " LATER },
    { "-B", NULL, "source addresses (ab's -B) are --bind ADDR; the URL is the TARGET itself" },
    { "-C", NULL, "a cookie (ab's -C) is -H 'Cookie: A=B'; there is no file of settings" },
    { "-D", NULL,
      "data from a file (hey's and oha's -D) is --data @FILE; the measured time (h2load's -D) is "
      "-d 10s" },
    { "-e", NULL,
      "the series as CSV (ab's -e) is --csv FILE; a header (curl's -e) is -H 'Referer: URL'; "
      "variables (k6's -e) are written into the line by the shell" },
    { "-E", NULL, "a client certificate (ab's and curl's -E) is --cert FILE" },
    { "-f", NULL,
      "which statuses are failures (curl's -f) is --expect-status LIST; a file of URLs (siege's "
      "-f) is the TARGET itself; a version of TLS (ab's -f) is --tls-version 1.2 or 1.3" },
    { "-F", NULL, "a form (curl's -F) is sent by brunt curl -F NAME=CONTENT URL" },
    { "-g", NULL, "a row for every request (ab's -g) is --samples FILE; -X GET is the default" },
    { "-G", NULL, "data in the URL is what brunt curl -G makes; else write it into the URL" },
    { "-i", NULL,
      "HEAD requests (ab's -i) are -X HEAD; the answer's head (curl's -i) is shown by --once; the "
      "number of requests (k6's -i) is -n; a file of URLs (h2load's -i) is the TARGET itself, and "
      "siege's -i, in any order, is --random" },
    { "-I", NULL, "HEAD requests (curl's -I) are -X HEAD, and --once shows one" },
    { "-j", NULL, "the result as JSON (oha's and siege's -j) is --json -" },
    { "-J", NULL, "the result as JSON is --json FILE" },
    { "-k", NULL,
      "keep-alive (ab's -k) is the default and --close turns it off (brunt ab takes ab's options "
      "as "
      "they are); what curl's -k does is --insecure" },
    { "-l", NULL,
      "answers of varying length (ab's -l) are fine by default; percentiles are always shown" },
    { "-m", NULL,
      "the method (ab's, hey's and oha's -m) is -X NAME; a time limit (curl's -m) is --timeout; "
      "streams of HTTP/2 (h2load's -m) will be --streams, " LATER },
    { "-M", NULL, "the method is -X NAME" },
    { "-N", NULL, "the time limit of a request is --timeout T; the number of requests is -n" },
    { "-o", NULL,
      "outputs are --json FILE, --csv FILE, --hgrm FILE or --samples FILE; --once shows a body" },
    { "-O", NULL, "--once shows the body of an answer" },
    { "-p", NULL,
      "data from a file (ab's -p) is --data @FILE; HTTP/2 (oha's and h2load's -p) will be "
      "--streams and --http 2, " LATER },
    { "-P", NULL,
      "a name at the proxy (ab's -P) is part of it: --proxy http://NAME:PASS@HOST:PORT" },
    { "-q", is_number,
      "an arrival rate (hey's and oha's -q) will be --rate, " LATER "; here -q is --quiet" },
    { "-r", NULL,
      "an arrival rate will be --rate, " LATER
      "; a number of requests (siege's -r times -c) is -n; "
      "to go on after errors (ab's -r) is the default" },
    { "-R", NULL, "an arrival rate (wrk2's -R) will be --rate, " LATER },
    { "-s", is_script,
      "Lua scripts (wrk's -s) are " LATER ": -X, -H and --data make one kind of request" },
    { "-s", is_number, "a time limit (ab's -s) is --timeout T; stages (k6's -s) are " LATER },
    { "-s", NULL, "silence (curl's -s) is -q; scripts (wrk's -s) and stages (k6's -s) are " LATER },
    { "-S", NULL, "silence is -q; errors are always shown" },
    { "-T", NULL,
      "the type of the data (ab's, hey's, oha's and siege's -T) is -H 'Content-Type: TYPE'; a time "
      "limit (h2load's -T) is --timeout; an upload (curl's -T) is -X PUT --data @FILE" },
    { "-u", has_no_colon,
      "users (k6's and locust's -u) are -c 50; an upload (ab's -u) is -X PUT --data @FILE; here -u "
      "is NAME:PASS" },
    { "-U", NULL,
      "a user agent (hey's -U) is -H 'User-Agent: NAME'; a name at the proxy (curl's -U) is part "
      "of it: --proxy http://NAME:PASS@HOST:PORT" },
    { "-v", is_number,
      "there are no levels (ab's -v 2): -v alone says more, --once shows one "
      "request with its answer" },
    { "-w", NULL,
      "to wait for answers at the end (oha's -w) is --drain T; --html is " LATER
      "; --json has every figure (curl's -w)" },
    { "-W", NULL, "windows of HTTP/2 are " LATER },
    { "-X", has_colon, "a proxy (ab's -X) is --proxy HOST:PORT; here -X is the method" },
    { "-y", NULL, "--html is " LATER },
    { "-z", NULL, "the measured time (hey's and oha's -z) is -d 10s" },
    { "-Z", NULL, "ciphers (ab's -Z) are --ciphers LIST" },
    { "-0", NULL, "HTTP/1.0 (curl's -0) is --http 1.0" },

    /* hey's, ab's and locust's long options with one dash */
    { "-h2", NULL, "HTTP/2 will be --http 2, " LATER },
    { "-cpus", NULL, "CPUs in use (hey's -cpus) are --threads N" },
    { "-host", NULL, "the Host header (hey's -host) is --host NAME" },
    { "-more", NULL, "more in the report (hey's -more) is -v" },
    { "-disable-keepalive", NULL, "a connection for every request (hey) is --close" },
    { "-disable-compression", NULL, "compressed answers are not asked for by default" },
    { "-disable-redirects", NULL, "redirects are not followed by default" },
    { "-allow-insecure", NULL, "to accept any certificate is --insecure" },
    { "-rate", NULL, "an arrival rate will be --rate, " LATER },
    { "-duration", NULL, "the measured time is -d 10s" },
    { "-connections", NULL, "connections are -c 50 or --connections 50" },

    /* load */
    { "--vus", NULL, "virtual users (k6) are -c 50" },
    { "--users", NULL, "users (locust) are -c 50" },
    { "--concurrent", NULL, "users (siege) are -c 50" },
    { "--concurrency", NULL, "users are -c 50" },
    { "--clients", NULL, "clients (h2load) are -c 50" },
    { "--reps", NULL, "repetitions (siege) times -c are -n" },
    { "--iterations", NULL,
      "the number of requests in all (k6) is -n; iterations of a user are " LATER },
    { "--time", NULL, "the measured time (siege) is -d 10s" },
    { "--run-time", NULL, "the measured time (locust) is -d 10s" },
    { "--delay", NULL, "pauses (siege) will be --think, " LATER },
    { "--benchmark", NULL, "no pause between requests (siege) is the default" },
    { "--internet", NULL, "a file of URLs is the TARGET itself; in any order (siege) is --random" },
    { "--file", NULL, "a file of URLs (siege) is the TARGET itself" },
    { "--input-file", NULL, "a file of URLs (h2load) is the TARGET itself" },
    { "--urls-from-file", NULL, "a file of URLs (oha) is the TARGET itself" },
    { "--targets", NULL, "a file of targets (vegeta) is the TARGET itself" },
    { "-targets", NULL, "a file of targets (vegeta) is the TARGET itself" },
    { "-format", NULL, "the form of a file of URLs (vegeta) is known by its first line" },
    { "-body", NULL, "data from a file (vegeta's -body) is --data @FILE" },
    { "--rand-regex-url", NULL, "URLs made at random are " LATER },
    { "--base-uri", NULL, "the URL is the TARGET itself" },
    { "--url", NULL, "the URL is the TARGET itself, without an option" },
    { "--script", NULL, "Lua scripts (wrk) are " LATER },
    { "--stage", NULL, "stages (k6) will be --stages, " LATER },
    { "--rps", NULL, "an arrival rate will be --rate, " LATER },
    { "--query-per-second", NULL, "an arrival rate (oha) will be --rate, " LATER },
    { "--burst-delay", NULL, "bursts are " LATER },
    { "--burst-rate", NULL, "bursts are " LATER },
    { "--latency-correction", NULL,
      "times from the intended start come with an arrival rate: --rate, " LATER },
    { "--latency", NULL, "percentiles (wrk's --latency) are always shown; --percentiles chooses" },
    { "--u_latency", NULL,
      "times from the send (wrk2's --u_latency) are in --json as latency_ns.service" },
    { "--warm-up-time", NULL, "the warm-up (h2load) is --warmup T" },
    { "--keepalive", NULL, "keep-alive is the default; --close turns it off" },
    { "--keep-alive", NULL, "keep-alive is the default; --close turns it off" },
    { "--disable-keepalive", NULL, "a connection for every request (oha) is --close" },
    { "--no-keepalive", NULL, "a connection for every request is --close" },
    { "--no-connection-reuse", NULL, "a connection for every request (k6) is --close" },
    { "--max-time", NULL, "the time limit of a request (curl) is --timeout T" },
    { "--connection-active-timeout", NULL, "the time limit of a request is --timeout T" },
    { "--connection-inactivity-timeout", NULL, "the time limit of a request is --timeout T" },
    { "--wait-ongoing-requests-after-deadline", NULL, "to wait at the end (oha) is --drain T" },
    { "--max-concurrent-streams", NULL, "streams of HTTP/2 will be --streams, " LATER },
    { "--cpus", NULL, "CPUs in use are --threads N" },

    /* request */
    { "--data-binary", NULL, "data is sent as it is (curl's --data-binary): --data DATA|@FILE" },
    { "--data-raw", NULL, "data is sent as it is: --data DATA (an @ in front names a file)" },
    { "--data-ascii", NULL, "data is sent as it is: --data DATA|@FILE" },
    { "--data-urlencode", NULL, "data is sent as it is; brunt curl --data-urlencode encodes it" },
    { "--form", NULL, "a form is sent by brunt curl --form NAME=CONTENT URL" },
    { "--json", is_document,
      "this names the file of the result; data (curl's --json) is --data DATA with "
      "-H 'Content-Type: application/json'" },
    { "--get", NULL, "data in the URL (curl's --get): write it into the URL's query" },
    { "--head", NULL, "HEAD requests (curl) are -X HEAD" },
    { "--include", NULL, "the answer's head (curl) is shown by --once" },
    { "--print", NULL,
      "one request with its answer (siege) is shown by --once; the command as a "
      "plan is " LATER },
    { "--cookie", NULL, "a cookie (curl) is -H 'Cookie: A=B'" },
    { "--cookie-jar", NULL, "--cookies keeps those that are given, -H 'Cookie: A=B' sends one" },
    { "--referer", NULL, "a referer (curl) is -H 'Referer: URL'" },
    { "--proxy-user", NULL,
      "a name at the proxy (curl) is part of it: --proxy http://NAME:PASS@HOST:PORT" },
    { "--proxy-header", NULL, "headers go to the proxy and beyond: -H 'Name: value'" },
    { "--noproxy", NULL, "no proxy is used but that of --proxy" },
    { "--socks4", NULL, "socks proxies are " LATER },
    { "--socks5", NULL, "socks proxies are " LATER },
    { "--user-agent", NULL, "a user agent is -H 'User-Agent: NAME'" },
    { "--content-type", NULL, "the type of the data is -H 'Content-Type: TYPE'" },
    { "--oauth2-bearer", NULL, "a token (curl) is -H 'Authorization: Bearer TOKEN'" },
    { "--basic-auth", NULL, "basic authentication is -u NAME:PASS" },
    { "--basic", NULL, "basic authentication is what -u NAME:PASS does" },
    { "--fail", NULL, "which statuses are failures (curl) is --expect-status LIST" },
    { "--http1.1", NULL, "HTTP/1.1 is the default" },
    { "--http1.0", NULL, "HTTP/1.0 is --http 1.0" },
    { "--h1", NULL, "HTTP/1.1 (h2load's --h1) is the default" },
    { "--http2", NULL, "HTTP/2 will be --http 2, " LATER },
    { "--http2-prior-knowledge", NULL, "HTTP/2 will be --http h2c, " LATER },
    { "--http-version", NULL, "the version (oha) is --http 1.1 or --http 1.0" },
    { "--http-debug", NULL, "one request with its answer (k6) is shown by --once" },
    { "--upload-file", NULL, "an upload (curl) is -X PUT --data @FILE" },
    { "--redirect", NULL,
      "redirects are not followed by default; --location follows, --max-redirects N of them" },
    { "--disable-compression", NULL, "compressed answers are not asked for by default" },
    { "--retry", NULL, "nothing is sent twice but for a stale connection, which is counted" },

    /* report */
    { "--silent", NULL, "silence (curl) is -q" },
    { "--no-tui", NULL, "plain progress (oha) is --progress plain" },
    { "--no-progress", NULL, "no progress is --progress none" },
    { "--fps", NULL, "progress is --progress auto, tty, plain or none" },
    { "--out", NULL, "outputs (k6) are --json FILE, --csv FILE, --samples FILE" },
    { "--output", NULL, "outputs are --json FILE, --csv FILE, --samples FILE" },
    { "--output-format", NULL, "the result as JSON (oha) is --json -" },
    { "--log-file", NULL, "a row for every request (h2load) is --samples FILE" },
    { "--log", NULL, "a row for every request is --samples FILE" },
    { "--summary-export", NULL, "the result as a document (k6) is --json FILE" },
    { "--summary-trend-stats", NULL, "which percentiles to print (k6) is --percentiles LIST" },
    { "--stats-success-breakdown", NULL,
      "failed requests always have times of their own, in --json" },
    { "--insecure-skip-tls-verify", NULL, "to accept any certificate is --insecure" },
    { "--write-out", NULL, "--json has every figure (curl's --write-out)" },

    /* of the design, in a later version */
    { "--rate", NULL, LATER ": -c is a closed load" },
    { "--arrivals", NULL, LATER },
    { "--stages", NULL, LATER },
    { "--think", NULL, LATER },
    { "--session", NULL, LATER },
    { "--max-connections", NULL, LATER },
    { "--streams", NULL, LATER },
    { "--feed", NULL, LATER },
    { "--html", NULL, LATER },
    { "--junit", NULL, LATER },
    { "--jtl", NULL, LATER },
    { "--prom", NULL, LATER },
    { "--md", NULL, LATER },
    { "--ui", NULL, LATER },
    { "--store", NULL, LATER },
    { "--agents", NULL, LATER },
    { NULL, NULL, NULL },
};
