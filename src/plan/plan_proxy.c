/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_proxy.h"

#include <string.h>

#define FORM "http://[NAME:PASS@]HOST:PORT"

static const struct str scheme_end = { "://", 3 };

static bool check_scheme(struct str scheme, struct err *err)
{
    if (str_eq_nocase(scheme, STR("http"))) {
        return true;
    }
    if (str_eq_nocase(scheme, STR("https")) || str_starts_nocase(scheme, STR("socks"))) {
        return err_set(err, ERR_USAGE,
                       "--proxy: %s proxies are not in this version yet: only " FORM,
                       str_eq_nocase(scheme, STR("https")) ? "https" : "socks");
    }
    return err_set(err, ERR_USAGE, "--proxy: this is not a proxy's URL: write " FORM);
}

/* Whether "[NAME:PASS@]HOST:PORT" has its port. */
static bool has_port(struct str authority)
{
    size_t host = authority.len;

    while (host > 0 && authority.p[host - 1] != '@') {
        host--;
    }
    authority = str_from(authority, host);
    if (authority.len > 0 && authority.p[0] == '[') {
        authority = str_from(authority, str_find(authority, ']'));
    }
    return str_find(authority, ':') + 1 < authority.len;
}

/* What url_parse() says of a text with a password in it may show some of that. */
static bool parse(struct str text, struct url *ret_url, struct err *err)
{
    struct buf whole;
    bool ok;

    buf_init(&whole, URL_BYTES_MAX + 8);
    buf_puts(&whole, "http://");
    buf_add_str(&whole, text);
    ok = url_parse(buf_str(&whole), ret_url, err);
    buf_fini(&whole);
    if (ok) {
        return true;
    }
    return str_find(text, '@') < text.len
               ? err_set(err, ERR_USAGE,
                         "--proxy: this is not " FORM " (what means something in a URL is written "
                         "%%40 for @, %%2F for / in NAME and PASS)")
               : err_prefix(err, "--proxy");
}

static bool check_rest(struct str text, const struct url *url, struct err *err)
{
    size_t slash = 0;

    while (slash < text.len && strchr("/?#", text.p[slash]) == NULL) {
        slash++;
    }
    if (!has_port((struct str){ text.p, slash })) {
        return err_set(err, ERR_USAGE,
                       "--proxy: no port, and tools differ in the one they assume: write "
                       "http://%s%s%s:3128",
                       url->is_ipv6 ? "[" : "", url->host, url->is_ipv6 ? "]" : "");
    }
    if (strcmp(url->target, "/") != 0) {
        return err_set(err, ERR_USAGE, "--proxy: a proxy has no path: write " FORM);
    }
    return true;
}

bool plan_proxy_check(struct plan *plan, struct err *err)
{
    struct str text = str_trim(str_of(plan->proxy));
    size_t scheme = str_find_str(text, scheme_end);
    struct url url;

    if (plan->proxy == NULL) {
        return true;
    }
    if (plan->self || plan->unix_path != NULL) {
        return err_set(err, ERR_USAGE, "--proxy: %s",
                       plan->self ? "self has an address of its own: give a URL with it"
                                  : "a unix socket is reached by its path alone");
    }
    if (plan->connect_to.count > 0) {
        return err_set(err, ERR_USAGE,
                       "--connect-to: with --proxy that takes a tunnel, which is not in this "
                       "version yet; the proxy goes where the URL says");
    }
    if (scheme < text.len) {
        if (!check_scheme((struct str){ text.p, scheme }, err)) {
            return false;
        }
        text = str_from(text, scheme + scheme_end.len);
    }
    if (!parse(text, &url, err)) {
        return false;
    }
    if (!check_rest(text, &url, err)) {
        url_fini(&url);
        return false;
    }
    url_fini(&plan->proxy_url);
    plan->proxy_url = url;
    return true;
}
