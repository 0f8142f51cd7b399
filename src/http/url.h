/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A URL as a person types it, taken apart and ready to send (RFC 3986, RFC 9110 section 4.2).
 *
 * "host:port", "a.host", "host/path", "localhost" and "[::1]:80" mean http; another bare word is
 * refused, since it is a slip of the keyboard more often than a host. The path and the query are
 * percent-encoded once: bytes that may not stand in a request line are encoded, an existing %XX is
 * left alone. The fragment is dropped. User information is decoded and kept apart, never in `host`
 * or `target`.
 */
#ifndef HTTP_URL_H
#define HTTP_URL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

enum url_scheme { URL_HTTP, URL_HTTPS };

enum { URL_BYTES_MAX = 64 << 10 };

struct url {
    enum url_scheme scheme;
    char *host;     /* without brackets, lower case; an address literal (with its zone) or a name */
    bool is_ipv6;   /* the host is an IPv6 literal: brackets in Host and in text */
    uint16_t port;  /* the scheme's own when none was given */
    char *target;   /* origin form: path and query, at least "/" */
    char *userinfo; /* decoded "name:password", or NULL */
};

/* ERR_USAGE with what is wrong and where. A host that is not ASCII becomes its punycode form. Owns
 * nothing of the text. */
bool url_parse(struct str text, struct url *ret_url, struct err *err) MUST_CHECK;
void url_fini(struct url *url); /* accepts a zeroed one */
void url_copy(const struct url *from, struct url *ret_to);

/* The value of a Host header: no port when it is the scheme's own. */
void url_format_host(const struct url *url, struct buf *buf);
/* The whole, without user information. */
void url_format(const struct url *url, struct buf *buf);

const char *url_scheme_word(enum url_scheme scheme);

#endif
