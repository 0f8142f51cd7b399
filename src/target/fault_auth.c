/* SPDX-License-Identifier: Apache-2.0 */
#include "target/fault_auth.h"

#include <string.h>

#include "base/base64.h"
#include "http/auth_digest.h"

enum { TEXT_BYTES_MAX = 16 << 10, NC_DIGITS = 8 };

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void fault_auth_decode(struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        bool coded = text.p[i] == '%' && i + 2 < text.len && hex_value(text.p[i + 1]) >= 0 &&
                     hex_value(text.p[i + 2]) >= 0;

        buf_putc(out, coded ? (char)(hex_value(text.p[i + 1]) * 16 + hex_value(text.p[i + 2]))
                            : text.p[i]);
        i += coded ? 2 : 0;
    }
}

void fault_auth_challenge(struct str algorithm, struct buf *out)
{
    buf_puts(out, "Digest realm=\"brunt\", nonce=\"0f1e2d3c4b5a69788796a5b4c3d2e1f0\", "
                  "opaque=\"brunt\", qop=\"auth\"");
    if (algorithm.len > 0) {
        buf_puts(out, ", algorithm=");
        buf_add_str(out, algorithm);
    }
}

/* What follows the scheme's name, or nothing. */
static struct str behind_scheme(struct str authorization, struct str scheme)
{
    if (!str_starts_nocase(authorization, scheme)) {
        return (struct str){ "", 0 };
    }
    return str_trim(str_from(authorization, scheme.len));
}

bool fault_auth_basic(const struct fault_auth *auth, struct str authorization)
{
    struct buf want, got;
    bool ok;

    buf_init(&want, TEXT_BYTES_MAX);
    buf_init(&got, TEXT_BYTES_MAX);
    fault_auth_decode(auth->user, &want);
    buf_putc(&want, ':');
    fault_auth_decode(auth->password, &want);
    ok = base64_decode(behind_scheme(authorization, STR("basic ")), &got) &&
         str_eq(buf_str(&want), buf_str(&got));
    buf_fini(&want);
    buf_fini(&got);
    return ok;
}

/* The value of a parameter of Digest without its quotes; empty when there is none. The values that
 * are looked for hold no quoted commas. */
static struct str parameter(struct str list, struct str name)
{
    struct str value, key;

    while (str_cut(&list, ',', &value)) {
        (void)str_cut(&value, '=', &key);
        if (value.p != NULL && str_eq_nocase(str_trim(key), name)) {
            value = str_trim(value);
            if (value.len >= 2 && value.p[0] == '"' && value.p[value.len - 1] == '"') {
                value = (struct str){ value.p + 1, value.len - 2 };
            }
            return value;
        }
    }
    return (struct str){ "", 0 };
}

static bool parse_nc(struct str text, uint32_t *ret_nc)
{
    uint32_t nc = 0;

    if (text.len != NC_DIGITS) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        if (hex_value(text.p[i]) < 0) {
            return false;
        }
        nc = nc << 4 | (uint32_t)hex_value(text.p[i]);
    }
    *ret_nc = nc;
    return true;
}

/* The same in both texts, and not missing. */
static bool agree(struct str a, struct str b, struct str name)
{
    struct str value = parameter(a, name);

    return value.len > 0 && str_eq(value, parameter(b, name));
}

/* What a client that knows the password would say to our challenge with that one's own values. */
static bool answer(const struct fault_auth *auth, struct str given, struct buf *out)
{
    struct auth_digest_request request = {
        .method = auth->method,
        .uri = auth->target,
        .cnonce = parameter(given, STR("cnonce")),
    };
    struct auth_digest digest = { 0 };
    struct buf challenge, user, password;
    bool ok;

    buf_init(&challenge, TEXT_BYTES_MAX * 2);
    buf_init(&user, TEXT_BYTES_MAX);
    buf_init(&password, TEXT_BYTES_MAX);
    fault_auth_challenge(auth->algorithm, &challenge);
    fault_auth_decode(auth->user, &user);
    fault_auth_decode(auth->password, &password);
    auth_digest_read(&digest, buf_str(&challenge));
    request.user = buf_str(&user);
    request.password = buf_str(&password);
    ok = digest.state == AUTH_DIGEST_READY && parse_nc(parameter(given, STR("nc")), &request.nc);
    if (ok) {
        auth_digest_answer(&digest, &request, out);
    }
    buf_fini(&challenge);
    buf_fini(&user);
    buf_fini(&password);
    return ok;
}

bool fault_auth_digest(const struct fault_auth *auth, struct str authorization)
{
    static const struct str names[] = {
        { "nonce", 5 }, { "realm", 5 }, { "response", 8 }, { "opaque", 6 }, { "qop", 3 }
    };
    struct str given = behind_scheme(authorization, STR("digest "));
    struct buf want;
    bool ok;

    buf_init(&want, TEXT_BYTES_MAX * 4);
    ok = answer(auth, given, &want) && str_eq(parameter(given, STR("uri")), auth->target);
    for (size_t i = 0; ok && i < COUNT_OF(names); i++) {
        ok = agree(given, behind_scheme(buf_str(&want), STR("digest ")), names[i]);
    }
    buf_fini(&want);
    return ok;
}
