/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cookies of one virtual user: Set-Cookie headers in, a Cookie header out (RFC 6265 section 5).
 *
 * Life cycle: a zeroed jar is an empty one; cookie_jar_take() for each Set-Cookie of an answer,
 * cookie_jar_put() for each request; cookie_jar_fini(). The jar is small and all its cookies lie in
 * one block, which is there only while there are cookies.
 *
 * Kept are name, value, domain, path, expiry and Secure; HttpOnly and whatever else there may be
 * mean nothing here. Cookies that differ in name, domain or path are different cookies; a new value
 * keeps the place of the old. There is no list of public suffixes: a Domain without a dot is
 * refused, unless it is localhost or the host itself. A Domain of a whole country's registry, which
 * a browser refuses, is taken.
 *
 * Limits: COOKIE_BYTES_MAX of name and value, COOKIE_PATH_MAX of path, a number of cookies and
 * COOKIE_JAR_BYTES_MAX in all. When a jar is full, what has expired is thrown away, and if that is
 * not enough the new cookie.
 */
#ifndef HTTP_COOKIE_H
#define HTTP_COOKIE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "http/url.h"

enum {
    COOKIE_BYTES_MAX = 4096,
    COOKIE_PATH_MAX = 1024,
    COOKIE_JAR_COUNT_DEFAULT = 50,
    COOKIE_JAR_BYTES_MAX = 64 << 10,
};

struct cookie_jar {
    char *bytes; /* records one behind the other, in the order of their creation, or NULL */
    uint32_t len, room;
    uint16_t count;
    uint16_t count_max; /* 0: COOKIE_JAR_COUNT_DEFAULT */
};

/* What became of a Set-Cookie. From COOKIE_NO_NAME on it was dropped. */
#define COOKIE_FATE_LIST(X)                                                                        \
    X(KEPT, "kept", "the jar has it")                                                              \
    X(REMOVED, "removed", "it has expired: the server takes it back")                              \
    X(NO_NAME, "no-name", "it has no name")                                                        \
    X(CONTROL_BYTE, "control-byte", "it holds a control byte")                                     \
    X(TOO_LARGE, "too-large", "name and value are over 4096 bytes, or its path is over 1024")      \
    X(FOREIGN_DOMAIN, "foreign-domain", "its domain is not one of the host that sent it")          \
    X(WIDE_DOMAIN, "wide-domain", "its domain has no dot: it would go to everybody")               \
    X(JAR_FULL, "jar-full", "there is no room for another")

enum cookie_fate {
#define COOKIE_FATE_ENUM(name, word, text) COOKIE_##name,
    COOKIE_FATE_LIST(COOKIE_FATE_ENUM)
#undef COOKIE_FATE_ENUM
        COOKIE_FATE_COUNT
};

static inline bool cookie_dropped(enum cookie_fate fate)
{
    return fate >= COOKIE_NO_NAME;
}

const char *cookie_fate_word(enum cookie_fate fate);
/* One sentence for people. */
const char *cookie_fate_text(enum cookie_fate fate);

void cookie_jar_fini(struct cookie_jar *jar); /* accepts a zeroed one; count_max is kept */

/* The value of a Set-Cookie that came with the answer to a request for url, at now_s (seconds since
 * 1970). */
enum cookie_fate cookie_jar_take(struct cookie_jar *jar, const struct url *url, struct str value,
                                 int64_t now_s);

/* Appends the value of the Cookie header of a request for url, "a=1; b=2", longer paths first;
 * false when there is no cookie for it, or no room in buf. */
bool cookie_jar_put(const struct cookie_jar *jar, const struct url *url, int64_t now_s,
                    struct buf *buf);

#endif
