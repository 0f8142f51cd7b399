/* SPDX-License-Identifier: Apache-2.0 */
#include "http/auth_digest.h"

#include <assert.h>
#include <string.h>

#include "base/digest.h"
#include "base/err.h"

static const struct algorithm {
    const char *name;
    enum digest_kind kind;
    bool session; /* the key is made of both nonces as well */
    uint8_t strength;
} algorithms[] = {
    { "MD5", DIGEST_MD5, false, 1 },
    { "MD5-sess", DIGEST_MD5, true, 1 },
    { "SHA-256", DIGEST_SHA256, false, 2 },
    { "SHA-256-sess", DIGEST_SHA256, true, 2 },
    { "SHA-512-256", DIGEST_SHA512_256, false, 3 },
    { "SHA-512-256-sess", DIGEST_SHA512_256, true, 3 },
};

/* The value of a parameter as it was sent, without its quotes. */
struct value {
    struct str text;
    bool escaped; /* was in quotes, so that a backslash means the byte behind it */
};

static size_t find_any(struct str text, const char *bytes)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '\0' || strchr(bytes, text.p[i]) != NULL) {
            return i;
        }
    }
    return text.len;
}

static void skip_blanks(struct str *rest)
{
    while (rest->len > 0 && strchr(" \t\r\n", rest->p[0]) != NULL && rest->p[0] != '\0') {
        *rest = str_from(*rest, 1);
    }
}

static struct str take_until(struct str *rest, const char *bytes)
{
    struct str taken = { rest->p, find_any(*rest, bytes) };

    *rest = str_from(*rest, taken.len);
    return taken;
}

static bool take_quoted(struct str *rest, struct value *ret_value)
{
    size_t at = 1;

    while (at < rest->len && rest->p[at] != '"') {
        at += rest->p[at] == '\\' ? 2 : 1;
    }
    if (at >= rest->len) {
        *rest = str_from(*rest, rest->len);
        return false;
    }
    *ret_value = (struct value){ { rest->p + 1, at - 1 }, true };
    *rest = str_from(*rest, at + 1);
    return true;
}

static bool take_value(struct str *rest, struct value *ret_value)
{
    skip_blanks(rest);
    if (rest->len > 0 && rest->p[0] == '"') {
        return take_quoted(rest, ret_value);
    }
    *ret_value = (struct value){ take_until(rest, ", \t\r\n"), false };
    return true;
}

/* The first thing that is wrong with a challenge is what is told. */
static void refuse(struct auth_digest *offer, enum auth_digest_state why)
{
    if (offer->state == AUTH_DIGEST_READY) {
        offer->state = (uint8_t)why;
    }
}

/* Into a field of `size` bytes what the value means. */
static void keep(struct auth_digest *offer, const struct value *value, char *field, size_t size)
{
    struct str from = value->text;
    size_t n = 0;

    for (size_t i = 0; i < from.len; i++) {
        unsigned char c;

        i += value->escaped && from.p[i] == '\\' && i + 1 < from.len;
        c = (unsigned char)from.p[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f) {
            refuse(offer, AUTH_DIGEST_UNREADABLE);
            return;
        }
        if (n + 1 == size) {
            refuse(offer, AUTH_DIGEST_TOO_LONG);
            return;
        }
        field[n++] = (char)c;
    }
    field[n] = '\0';
}

static void keep_algorithm(struct auth_digest *offer, struct str name)
{
    offer->named = true;
    for (size_t i = 0; i < COUNT_OF(algorithms); i++) {
        if (str_eq_nocase(name, str_of(algorithms[i].name)) &&
            digest_available(algorithms[i].kind)) {
            offer->algorithm = (uint8_t)i;
            return;
        }
    }
    refuse(offer, AUTH_DIGEST_ALGORITHM);
}

static void keep_qop(struct auth_digest *offer, struct str list)
{
    bool any = false;
    struct str word;

    while (str_cut(&list, ',', &word)) {
        word = str_trim(word);
        any = any || word.len > 0;
        offer->with_qop = offer->with_qop || str_eq_nocase(word, STR("auth"));
    }
    if (any && !offer->with_qop) {
        refuse(offer, AUTH_DIGEST_QOP);
    }
}

static void keep_parameter(struct auth_digest *offer, struct str name, const struct value *value)
{
    if (str_eq_nocase(name, STR("realm"))) {
        keep(offer, value, offer->realm, sizeof(offer->realm));
    } else if (str_eq_nocase(name, STR("nonce"))) {
        keep(offer, value, offer->nonce, sizeof(offer->nonce));
    } else if (str_eq_nocase(name, STR("opaque"))) {
        offer->with_opaque = true;
        keep(offer, value, offer->opaque, sizeof(offer->opaque));
    } else if (str_eq_nocase(name, STR("algorithm"))) {
        keep_algorithm(offer, value->text);
    } else if (str_eq_nocase(name, STR("qop"))) {
        keep_qop(offer, value->text);
    } else if (str_eq_nocase(name, STR("stale"))) {
        offer->stale = str_eq_nocase(value->text, STR("true"));
    } else if (str_eq_nocase(name, STR("userhash"))) {
        offer->userhash = str_eq_nocase(value->text, STR("true"));
    }
}

/* A challenge is read whole. */
static void take_offer(struct auth_digest *auth, struct auth_digest *offer)
{
    uint8_t strength = auth->state == AUTH_DIGEST_READY ? algorithms[auth->algorithm].strength : 0;

    if (offer->nonce[0] == '\0') {
        refuse(offer, AUTH_DIGEST_NO_NONCE);
    }
    if (!offer->named && !digest_available(DIGEST_MD5)) {
        refuse(offer, AUTH_DIGEST_ALGORITHM);
    }
    if (offer->state != AUTH_DIGEST_READY) {
        auth->state = auth->state == AUTH_DIGEST_ABSENT ? offer->state : auth->state;
    } else if (algorithms[offer->algorithm].strength > strength) {
        offer->basic = auth->basic;
        *auth = *offer;
    }
}

/* The parameters behind the name of a scheme, up to the next scheme. A token that no "=" follows is
 * the latter when a comma is before it, and credentials of another scheme otherwise. */
static void read_parameters(struct auth_digest *offer, struct str *rest)
{
    bool comma = false;

    for (;;) {
        struct str before, name;
        struct value value;

        skip_blanks(rest);
        if (rest->len == 0) {
            return;
        }
        before = *rest;
        name = take_until(rest, "=,\" \t\r\n");
        skip_blanks(rest);
        if (name.len > 0 && rest->len > 0 && rest->p[0] == '=') {
            *rest = str_from(*rest, 1);
            if (take_value(rest, &value)) {
                keep_parameter(offer, name, &value);
            } else {
                refuse(offer, AUTH_DIGEST_UNREADABLE);
            }
        } else if (name.len > 0 && comma) {
            *rest = before;
            return;
        }
        (void)take_until(rest, ",");
        comma = rest->len > 0 && rest->p[0] == ',';
        *rest = str_from(*rest, 1);
    }
}

void auth_digest_read(struct auth_digest *auth, struct str value)
{
    for (;;) {
        struct auth_digest offer = { .state = AUTH_DIGEST_READY };
        struct str scheme;

        skip_blanks(&value);
        if (value.len == 0) {
            return;
        }
        scheme = take_until(&value, "=,\" \t\r\n");
        read_parameters(&offer, &value);
        if (str_eq_nocase(scheme, STR("basic"))) {
            auth->basic = true;
        } else if (str_eq_nocase(scheme, STR("digest"))) {
            take_offer(auth, &offer);
        }
    }
}

/* The digest of the parts with colons between them. */
static void digest_parts(struct digest *digest, const struct str *parts, size_t count, char *text)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            digest_add(digest, STR(":"));
        }
        digest_add(digest, parts[i]);
    }
    (void)digest_end(digest, text);
}

#define DIGEST_PARTS(digest, text, ...)                                                            \
    digest_parts((digest), (const struct str[]){ __VA_ARGS__ },                                    \
                 COUNT_OF(((const struct str[]){ __VA_ARGS__ })), (text))

static void put_quoted(const char *name, struct str text, struct buf *buf)
{
    buf_puts(buf, name);
    buf_puts(buf, "=\"");
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '"' || text.p[i] == '\\') {
            buf_putc(buf, '\\');
        }
        buf_putc(buf, text.p[i]);
    }
    buf_putc(buf, '"');
}

/* RFC 7616 section 3.4.1 to 3.4.3. */
static void respond(const struct auth_digest *auth, const struct auth_digest_request *request,
                    const char *nc, struct digest *digest, char *text)
{
    char key[DIGEST_TEXT_MAX], subject[DIGEST_TEXT_MAX];
    struct str nonce = str_of(auth->nonce);

    DIGEST_PARTS(digest, key, request->user, str_of(auth->realm), request->password);
    if (algorithms[auth->algorithm].session) {
        DIGEST_PARTS(digest, key, str_of(key), nonce, request->cnonce);
    }
    DIGEST_PARTS(digest, subject, request->method, request->uri);
    if (auth->with_qop) {
        DIGEST_PARTS(digest, text, str_of(key), nonce, str_of(nc), request->cnonce, STR("auth"),
                     str_of(subject));
    } else {
        DIGEST_PARTS(digest, text, str_of(key), nonce, str_of(subject));
    }
}

void auth_digest_answer(const struct auth_digest *auth, const struct auth_digest_request *request,
                        struct buf *buf)
{
    static const char digits[] = "0123456789abcdef";
    const struct algorithm *algorithm = &algorithms[auth->algorithm];
    char response[DIGEST_TEXT_MAX], user[DIGEST_TEXT_MAX], nc[9] = "";
    struct str name = request->user;
    struct digest digest;

    assert(auth->state == AUTH_DIGEST_READY);
    for (unsigned i = 0; i < 8; i++) {
        nc[i] = digits[request->nc >> (28 - 4 * i) & 15];
    }
    digest_init(&digest, algorithm->kind);
    respond(auth, request, nc, &digest, response);
    if (auth->userhash) {
        DIGEST_PARTS(&digest, user, request->user, str_of(auth->realm));
        name = str_of(user);
    }
    digest_fini(&digest);
    put_quoted("Digest username", name, buf);
    put_quoted(", realm", str_of(auth->realm), buf);
    put_quoted(", nonce", str_of(auth->nonce), buf);
    put_quoted(", uri", request->uri, buf);
    put_quoted(", response", str_of(response), buf);
    if (auth->named) {
        buf_puts(buf, ", algorithm=");
        buf_puts(buf, algorithm->name);
    }
    if (auth->with_opaque) {
        put_quoted(", opaque", str_of(auth->opaque), buf);
    }
    if (auth->with_qop) {
        buf_puts(buf, ", qop=auth, nc=");
        buf_puts(buf, nc);
    }
    if (auth->with_qop || algorithm->session) {
        put_quoted(", cnonce", request->cnonce, buf);
    }
    buf_puts(buf, auth->userhash ? ", userhash=true" : "");
}

const char *auth_digest_text(enum auth_digest_state state)
{
    static const char *const texts[] = {
#define AUTH_DIGEST_TEXT(name, text) text,
        AUTH_DIGEST_LIST(AUTH_DIGEST_TEXT)
#undef AUTH_DIGEST_TEXT
    };
    static_assert(COUNT_OF(texts) == AUTH_DIGEST_STATE_COUNT, "every state has its text");

    return texts[state];
}
