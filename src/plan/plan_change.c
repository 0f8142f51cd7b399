/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_change.h"

#include "base/mem.h"
#include "plan/plan.h"

/* The URL of a digest may be three times URL_BYTES_MAX. */
enum { FIELD_BYTES_MAX = 4 * URL_BYTES_MAX };

static bool is_named(const char *header, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (request_same_field(header, names[i])) {
            return true;
        }
    }
    return false;
}

/* Whether one of the user's headers still holds. */
static bool holds(const char *header, const struct plan_change *change)
{
    static const char *const foreign[] = { "Host:", "Authorization:", "Cookie:" };
    static const char *const of_body[] = { "Content-Type:", "Content-Length:", "Content-Encoding:",
                                           "Content-Language:", "Content-Location:" };
    static const char *const replaced[] = { "Authorization:" };

    return !(change->foreign && is_named(header, foreign, COUNT_OF(foreign))) &&
           !(change->no_body && is_named(header, of_body, COUNT_OF(of_body))) &&
           !(change->authorization.len > 0 && is_named(header, replaced, COUNT_OF(replaced)));
}

/* The value of a header as with -H. */
static struct str value_of(const char *header)
{
    struct str text = str_of(header);

    return str_trim(str_from(text, str_find(text, ':') + 1));
}

/* RFC 6265 section 5.4: one header, the user's own cookies first, which go home only. */
static void put_cookies(const struct opt_texts *headers, const struct plan_change *change,
                        struct buf *buf)
{
    buf_puts(buf, "Cookie: ");
    for (size_t i = 0; i < headers->count; i++) {
        if (!change->foreign && request_same_field(headers->items[i], "Cookie:") &&
            value_of(headers->items[i]).len > 0) {
            buf_add_str(buf, value_of(headers->items[i]));
            buf_puts(buf, "; ");
        }
    }
    buf_add_str(buf, change->cookie);
}

static void keep_those_that_hold(struct opt_texts *headers, const struct plan_change *change)
{
    size_t kept = 0;

    for (size_t i = 0; i < headers->count; i++) {
        bool merged = change->cookie.len > 0 && request_same_field(headers->items[i], "Cookie:");

        if (holds(headers->items[i], change) && !merged) {
            headers->items[kept++] = headers->items[i];
        }
    }
    headers->count = kept;
}

/* A header of our own at the end of the list, which borrows the buffer's text. */
static void add(struct opt_texts *headers, struct buf *buf)
{
    buf_putc(buf, '\0');
    headers->items = mem_resize(headers->items, headers->count + 1, sizeof(*headers->items));
    headers->items[headers->count++] = buf->data;
}

bool plan_change_encode(const struct plan *plan, size_t i, const struct plan_change *change,
                        struct buf *buf, struct err *err)
{
    struct request_parts parts = plan_request_parts(plan, i);
    struct opt_texts headers = plan_request_headers(plan, i);
    struct buf cookie, authorization;
    bool ok;

    buf_init(&cookie, FIELD_BYTES_MAX);
    buf_init(&authorization, FIELD_BYTES_MAX);
    if (change->cookie.len > 0) {
        put_cookies(&headers, change, &cookie);
    }
    keep_those_that_hold(&headers, change);
    if (change->cookie.len > 0) {
        add(&headers, &cookie);
    }
    if (change->authorization.len > 0) {
        buf_puts(&authorization, "Authorization: ");
        buf_add_str(&authorization, change->authorization);
        add(&headers, &authorization);
    }
    parts.url = change->url;
    parts.proxy = plan->proxy != NULL && !plan_tunnels(plan, change->url) ? &plan->proxy_url : NULL;
    parts.method = change->method;
    parts.host = change->foreign ? NULL : parts.host;
    parts.userpass = change->foreign ? NULL : parts.userpass;
    parts.body = change->no_body ? (struct str){ NULL, 0 } : parts.body;
    parts.content_type = change->no_body ? NULL : parts.content_type;
    parts.body_apart = parts.body_apart && !change->no_body;
    parts.headers = (const char *const *)headers.items;
    parts.header_count = headers.count;
    ok = !cookie.overflow && !authorization.overflow
             ? request_encode(&parts, buf, err)
             : err_set(err, ERR_USAGE, "%s of a request would be over %d bytes",
                       cookie.overflow ? "the cookies" : "the authorization", FIELD_BYTES_MAX);
    mem_free(headers.items);
    buf_fini(&cookie);
    buf_fini(&authorization);
    return ok;
}
