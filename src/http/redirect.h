/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an answer sends its client, and what is asked there: the Location header against the URL of
 * the request (RFC 3986 section 5) and what becomes of the method (RFC 9110 section 15.4, as every
 * browser and curl have it).
 *
 * How often is followed, and what an answer without a Location means, is the caller's to decide.
 */
#ifndef HTTP_REDIRECT_H
#define HTTP_REDIRECT_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "http/url.h"

/* 301, 302, 303, 307 and 308. The others of their hundred are answers: a choice (300), "you have
 * it" (304), advice to use a proxy that nobody takes (305). */
bool redirect_is(unsigned status);

/*
 * The URL that a Location means when it comes with the answer to a request for `base`: absolute,
 * "//host/path", "/path", "path", "?query". Dot segments are removed, the fragment is dropped, what
 * may not be sent is percent-encoded once (url_parse). "http:path" is a path when base is http, as
 * in browsers. User information is the Location's own, or that of base within the same origin.
 *
 * ERR_PEER when it is empty, of another scheme than http and https or no URL. The caller ends
 * *ret_url with url_fini().
 */
bool redirect_resolve(const struct url *base, struct str location, struct url *ret_url,
                      struct err *err) MUST_CHECK;

/* The method to go on with: `method` itself, or "GET". *ret_keeps_body: the body goes with it, and
 * with the body the headers that are about it. */
const char *redirect_method(unsigned status, const char *method, bool *ret_keeps_body);

/* Scheme, host and port are the same. Authorization, and cookies that the user gave as a header, go
 * to no other origin. */
bool redirect_same_origin(const struct url *a, const struct url *b);

#endif
