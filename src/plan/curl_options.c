/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/curl_options.h"

#include <stddef.h>

#define IGNORED CURL_OPTION_IGNORED
#define REFUSED CURL_OPTION_REFUSED
#define PLAN    CURL_OPTION_PLAN

#define NO_HTTP2 "HTTP/2 is not in this version yet: without it the requests go by HTTP/1.1"
#define NO_AUTH  "of the ways to authenticate there are basic and digest"
#define NO_SOCKS "socks proxies are not in this version yet"
#define NO_FILES "the settings are not read from files: give them as options"

static const struct curl_option options[] = {
    /* the request */
    { '\0', "url", true, CURL_OPTION_URL, NULL },
    { 'X', "request", true, CURL_OPTION_METHOD, NULL },
    { 'H', "header", true, CURL_OPTION_HEADER, NULL },
    { 'A', "user-agent", true, CURL_OPTION_FIELD, "User-Agent" },
    { 'e', "referer", true, CURL_OPTION_FIELD, "Referer" },
    { 'r', "range", true, CURL_OPTION_FIELD, "Range" },
    { '\0', "oauth2-bearer", true, CURL_OPTION_FIELD, "Authorization" },
    { 'b', "cookie", true, CURL_OPTION_COOKIE, NULL },
    { 'd', "data", true, CURL_OPTION_DATA, NULL },
    { '\0', "data-ascii", true, CURL_OPTION_DATA, NULL },
    { '\0', "data-raw", true, CURL_OPTION_DATA_RAW, NULL },
    { '\0', "data-binary", true, CURL_OPTION_DATA_BINARY, NULL },
    { '\0', "data-urlencode", true, CURL_OPTION_DATA_URLENCODE, NULL },
    { '\0', "json", true, CURL_OPTION_JSON, NULL },
    { 'F', "form", true, CURL_OPTION_FORM, NULL },
    { '\0', "form-string", true, CURL_OPTION_FORM_STRING, NULL },
    { 'T', "upload-file", true, CURL_OPTION_UPLOAD, NULL },
    { 'G', "get", false, CURL_OPTION_GET, NULL },
    { 'I', "head", false, CURL_OPTION_HEAD, NULL },
    { 'g', "globoff", false, CURL_OPTION_GLOB_OFF, NULL },
    { '\0', "from", true, CURL_OPTION_FROM, NULL },

    /* what a plan has too */
    { 'u', "user", true, PLAN, "user" },
    { '\0', "digest", false, PLAN, "digest" },
    { 'L', "location", false, PLAN, "location" },
    { '\0', "max-redirs", true, PLAN, "max-redirects" },
    { '\0', "compressed", false, PLAN, "compressed" },
    { 'c', "cookie-jar", true, PLAN, "cookies=" },
    { 'j', "junk-session-cookies", false, IGNORED, NULL },
    { '\0', "http1.1", false, PLAN, "http=1.1" },
    { '0', "http1.0", false, PLAN, "http=1.0" },
    { 'x', "proxy", true, PLAN, "proxy" },
    { 'p', "proxytunnel", false, PLAN, "proxytunnel" },
    { '\0', "connect-to", true, PLAN, "connect-to" },
    { '\0', "resolve", true, PLAN, "resolve" },
    { '\0', "unix-socket", true, PLAN, "unix" },
    { '\0', "interface", true, PLAN, "bind" },
    { '4', "ipv4", false, PLAN, "ipv4" },
    { '6', "ipv6", false, PLAN, "ipv6" },
    { 'm', "max-time", true, PLAN, "timeout" },
    { '\0', "connect-timeout", true, PLAN, "connect-timeout" },
    { 'k', "insecure", false, PLAN, "insecure" },
    { '\0', "cacert", true, PLAN, "cacert" },
    { 'E', "cert", true, PLAN, "cert" },
    { '\0', "key", true, PLAN, "key" },
    { '\0', "ciphers", true, PLAN, "ciphers" },
    { '\0', "tlsv1.3", false, PLAN, "tls-version=1.3" },

    /* the default here, or of no matter to a load */
    { '1', "tlsv1", false, IGNORED, NULL },
    { '\0', "tlsv1.0", false, IGNORED, NULL },
    { '\0', "tlsv1.1", false, IGNORED, NULL },
    { '\0', "tlsv1.2", false, IGNORED, NULL },
    { '\0', "basic", false, IGNORED, NULL },
    { '\0', "ssl", false, IGNORED, NULL },
    { '\0', "no-alpn", false, IGNORED, NULL },
    { '\0', "tcp-nodelay", false, IGNORED, NULL },
    { '\0', "no-keepalive", false, IGNORED, NULL },
    { '\0', "keepalive-time", true, IGNORED, NULL },
    { '\0', "no-sessionid", false, IGNORED, NULL },
    { '\0', "path-as-is", false, IGNORED, NULL },
    { '\0', "raw", false, IGNORED, NULL },
    { '\0', "tr-encoding", false, REFUSED, "transfer codings are chunked alone" },
    { 's', "silent", false, IGNORED, NULL },
    { 'S', "show-error", false, IGNORED, NULL },
    { 'v', "verbose", false, IGNORED, NULL },
    { '#', "progress-bar", false, IGNORED, NULL },
    { '\0', "no-progress-meter", false, IGNORED, NULL },
    { 'i', "include", false, IGNORED, NULL },
    { '\0', "show-headers", false, IGNORED, NULL },
    { 'f', "fail", false, IGNORED, NULL },
    { '\0', "fail-with-body", false, IGNORED, NULL },
    { '\0', "fail-early", false, IGNORED, NULL },
    { 'N', "no-buffer", false, IGNORED, NULL },
    { 'o', "output", true, IGNORED, NULL },
    { 'O', "remote-name", false, IGNORED, NULL },
    { 'J', "remote-header-name", false, IGNORED, NULL },
    { '\0', "remote-name-all", false, IGNORED, NULL },
    { '\0', "create-dirs", false, IGNORED, NULL },
    { '\0', "output-dir", true, IGNORED, NULL },
    { 'D', "dump-header", true, IGNORED, NULL },
    { 'w', "write-out", true, IGNORED, NULL },
    { '\0', "stderr", true, IGNORED, NULL },
    { '\0', "trace", true, IGNORED, NULL },
    { '\0', "trace-ascii", true, IGNORED, NULL },
    { '\0', "trace-time", false, IGNORED, NULL },
    { '\0', "styled-output", false, IGNORED, NULL },
    { '\0', "no-styled-output", false, IGNORED, NULL },
    { 'q', "disable", false, IGNORED, NULL },
    { 'n', "netrc-optional", false, REFUSED, NO_FILES },
    { '\0', "netrc", false, REFUSED, NO_FILES },
    { '\0', "netrc-file", true, REFUSED, NO_FILES },
    { 'K', "config", true, REFUSED, NO_FILES },

    /* what would change the requests */
    { '\0', "http2", false, REFUSED, NO_HTTP2 },
    { '\0', "http2-prior-knowledge", false, REFUSED, NO_HTTP2 },
    { '\0', "http3", false, REFUSED, "HTTP/3 is not in this version: HTTP/1.1 or 1.0" },
    { '\0', "http3-only", false, REFUSED, "HTTP/3 is not in this version: HTTP/1.1 or 1.0" },
    { '\0', "http0.9", false, REFUSED, "an answer needs a head: HTTP/1.1 or 1.0" },
    { '\0', "anyauth", false, REFUSED, NO_AUTH },
    { '\0', "ntlm", false, REFUSED, NO_AUTH },
    { '\0', "negotiate", false, REFUSED, NO_AUTH },
    { '\0', "aws-sigv4", true, REFUSED, NO_AUTH },
    { '\0', "location-trusted", false, REFUSED,
      "a name and password go to the host they are for: -L follows redirects without them" },
    { '\0', "post301", false, REFUSED, "a redirect after 301 is followed as browsers do, by GET" },
    { '\0', "post302", false, REFUSED, "a redirect after 302 is followed as browsers do, by GET" },
    { '\0', "post303", false, REFUSED, "a redirect after 303 is followed by GET" },
    { 'U', "proxy-user", true, REFUSED,
      "the name is part of the proxy: -x http://NAME:PASS@HOST:PORT" },
    { '\0', "proxy-header", true, REFUSED, "headers go to the proxy and beyond: -H 'Name: value'" },
    { '\0', "proxy-insecure", false, REFUSED, "https proxies are not in this version yet" },
    { '\0', "noproxy", true, REFUSED, "no proxy is used but that of -x: leave it out" },
    { '\0', "socks4", true, REFUSED, NO_SOCKS },
    { '\0', "socks4a", true, REFUSED, NO_SOCKS },
    { '\0', "socks5", true, REFUSED, NO_SOCKS },
    { '\0', "socks5-hostname", true, REFUSED, NO_SOCKS },
    { '\0', "capath", true, REFUSED, "authorities are trusted by a file: --cacert FILE" },
    { '\0', "cert-type", true, REFUSED, "certificates and keys are in PEM form" },
    { '\0', "key-type", true, REFUSED, "certificates and keys are in PEM form" },
    { '\0', "pass", true, REFUSED, "keys are without a password" },
    { '\0', "tls-max", true, REFUSED, "the highest version of TLS that both sides know is used" },
    { '\0', "form-escape", false, REFUSED, "names of forms are written with %22 for a quote" },
    { '\0', "retry", true, REFUSED,
      "nothing is sent twice but for a stale connection: leave it out" },
    { '\0', "retry-delay", true, REFUSED, "nothing is sent twice: leave it out" },
    { '\0', "retry-all-errors", false, REFUSED, "nothing is sent twice: leave it out" },
    { '\0', "limit-rate", true, REFUSED, "answers are read as fast as they come: leave it out" },
    { 'Y', "speed-limit", true, REFUSED, "the time limit of a request is -m" },
    { 'y', "speed-time", true, REFUSED, "the time limit of a request is -m" },
    { 'C', "continue-at", true, REFUSED, "a part of a body is asked for by -r FROM-TO" },
    { 'z', "time-cond", true, REFUSED, "write the header: -H 'If-Modified-Since: DATE'" },
    { 'Z', "parallel", false, REFUSED, "requests at the same time are --connections N" },
    { ':', "next", false, REFUSED, "one request: several kinds are a file of URLs" },
    { 'a', "append", false, REFUSED, "only http and https are loaded" },
    { 'B', "use-ascii", false, REFUSED, "only http and https are loaded" },
    { 'l', "list-only", false, REFUSED, "only http and https are loaded" },
    { 'P', "ftp-port", true, REFUSED, "only http and https are loaded" },
    { 'Q', "quote", true, REFUSED, "only http and https are loaded" },
    { 't', "telnet-option", true, REFUSED, "only http and https are loaded" },
    { 'M', "manual", false, REFUSED, "curl's manual is curl's: see brunt-curl(1)" },
    { 'R', "remote-time", false, IGNORED, NULL },
    { '2', "sslv2", false, REFUSED, "TLS begins at version 1.2" },
    { '3', "sslv3", false, REFUSED, "TLS begins at version 1.2" },
};

const struct curl_option *curl_options_find(struct str name)
{
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (str_eq(str_of(options[i].name), name)) {
            return &options[i];
        }
    }
    return NULL;
}

const struct curl_option *curl_options_find_letter(char letter)
{
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (options[i].letter == letter && letter != '\0') {
            return &options[i];
        }
    }
    return NULL;
}
