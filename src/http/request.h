/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request as bytes: encoded once, sent many times.
 *
 * The user's headers replace brunt's own of the same name, in any letter case; what is sent is one
 * of each. A header given without a value ("Accept:") removes it; one with a semicolon and no value
 * ("X-Empty;") is sent empty, as in curl. A name the user gives several times is sent as often,
 * except that Host and Content-Length may be given once.
 */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "http/url.h"

enum http_version { HTTP_1_1, HTTP_1_0 };

enum { REQUEST_BYTES_MAX = 1 << 30 };

struct request_parts {
    const struct url *url;
    enum http_version version;
    const char *method;
    const char *host;     /* instead of the URL's (port included), or NULL */
    const char *userpass; /* for basic authentication, instead of the URL's, or NULL */
    const struct url
        *proxy; /* the request is for it: absolute form, its user information; or NULL */
    const char *const *headers; /* "Name: value", as with -H */
    size_t header_count;
    struct str body; /* p = NULL: no body, and no content-length but for POST, PUT and PATCH */
    bool body_apart; /* the body is announced and not appended: it is sent after what is encoded */
    const char *content_type; /* unless the user gave one; NULL for none */
    bool compressed;          /* ask for an encoded body: gzip, deflate, br */
    bool no_auth;             /* say nothing of who is asking, whatever the URL has */
    bool close;               /* ask the server to close afterwards */
    const char *user_agent;   /* "brunt/0.1"; NULL for none */
};

/* Whether two headers, each as with -H, have the same name; false when one has none. */
bool request_same_field(const char *header, const char *other);

/* Appends the encoded request, on failure nothing. ERR_USAGE for a method or header that cannot be
 * sent (a line break, no name, no colon) and for transfer-encoding or a content-length that
 * contradicts the body. With 1.0 keep-alive is asked for by "Connection: keep-alive", with 1.1
 * closing by "Connection: close". */
bool request_encode(const struct request_parts *parts, struct buf *buf, struct err *err) MUST_CHECK;

/* Whether an encoded request asks the server to close the connection after the answer, be it by not
 * asking HTTP/1.0 to keep it. */
bool request_closes(struct str head);

/* Appends the request that has a proxy open a tunnel to the URL's host and port (RFC 9110
 * section 9.3.6), with the proxy's user information. */
void request_encode_connect(const struct url *url, const struct url *proxy, const char *user_agent,
                            struct buf *buf);

#endif
