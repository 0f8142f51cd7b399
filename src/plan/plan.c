/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/un.h>

#include "base/clock.h"
#include "base/mem.h"
#include "plan/plan_data.h"
#include "plan/plan_options.h"
#include "plan/plan_proxy.h"
#include "plan/plan_urls.h"
#include "plan/route.h"

#define DURATION_NS   (10 * SEC_NS)
#define WARMUP_MAX_NS SEC_NS
#define DRAIN_MAX_NS  (5 * SEC_NS)
#define DRAIN_MIN_NS  SEC_NS
/* Ramp, warm-up and default drain in all, where they fit. */
#define BESIDES_MAX_NS (5600 * MSEC_NS)
#define MAX_REDIRECTS  20
#define RAMP_PER_S     1000 /* connections that open a second */

/* Ours and the browsers' form of data, as in curl; -H replaces it. */
#define CONTENT_TYPE "application/x-www-form-urlencoded"

void plan_init(struct plan *plan)
{
    struct opt_set set = { plan_options, plan };

    *plan = (struct plan){
        .ramp_ns = -1,
        .warmup_ns = -1,
        .drain_ns = -1,
        .expect_length = -1,
        .max_redirects = MAX_REDIRECTS,
    };
    opt_defaults(&set, 1);
}

static void free_items(struct plan *plan)
{
    for (size_t i = 0; i < plan->item_count; i++) {
        plan_item_fini(&plan->items[i]);
    }
    mem_free(plan->items);
    plan->items = NULL;
    plan->item_count = 0;
}

void plan_fini(struct plan *plan)
{
    struct opt_set set = { plan_options, plan };

    opt_fini(&set, 1);
    opt_texts_fini(&plan->tags);
    opt_texts_fini(&plan->connect_to);
    opt_texts_fini(&plan->resolve);
    mem_free(plan->target);
    plan_files_fini(&plan->files);
    free_items(plan);
    buf_fini(&plan->problems);
    url_fini(&plan->proxy_url);
    *plan = (struct plan){ 0 };
}

/* The item of a URL; self has no port yet. */
static bool make_item(struct plan *plan, struct err *err)
{
    struct url url;

    if (!url_parse(plan->self ? STR("127.0.0.1") : str_of(plan->target), &url, err)) {
        return false;
    }
    plan->items = mem_new(1, sizeof(*plan->items));
    plan->items[0].url = url;
    plan->item_count = 1;
    return true;
}

/* Puts the place before what is wrong with a line of a file. Returns false. */
static bool refuse_item(const struct plan *plan, const struct plan_item *item, struct err *err)
{
    return item->line > 0 ? err_prefix(err, "%s:%u", plan->target, item->line) : false;
}

static bool check_item(const struct plan *plan, const struct plan_item *item, struct err *err)
{
    if (item->method != NULL && strcmp(item->method, "CONNECT") == 0) {
        err_set(err, ERR_USAGE, "CONNECT opens a tunnel and asks for nothing");
        return refuse_item(plan, item, err);
    }
    return true;
}

static bool make_items(struct plan *plan, struct err *err)
{
    if (plan->self && plan->unix_path != NULL) {
        return err_set(err, ERR_USAGE, "self has an address of its own: give a URL with --unix");
    }
    if (!plan->items_given) {
        free_items(plan);
        if (!(plan->target_file ? plan_urls_load(plan, err) : make_item(plan, err))) {
            return false;
        }
    }
    for (size_t i = 0; i < plan->item_count; i++) {
        if (!check_item(plan, &plan->items[i], err)) {
            return false;
        }
    }
    return true;
}

/* What an item does not say itself is the plan's. */
static void complete_items(struct plan *plan)
{
    for (size_t i = 0; i < plan->item_count; i++) {
        struct plan_item *item = &plan->items[i];

        if (item->body.p == NULL) {
            item->body = plan->body;
            item->content_type = plan->data != NULL ? CONTENT_TYPE : NULL;
        }
        if (item->method == NULL) {
            item->method = mem_strdup(plan->method != NULL   ? plan->method
                                      : item->body.p != NULL ? "POST"
                                                             : "GET");
        }
        item->body_apart = item->body.len > PLAN_ITEM_INLINE_MAX;
    }
}

static bool check_bind_address(const struct plan *plan, struct str text, struct err *err)
{
    char address[INET6_ADDRSTRLEN + 1];
    struct in6_addr unused;
    bool ipv4, ipv6;

    str_copy(address, sizeof(address), text);
    ipv4 = inet_pton(AF_INET, address, &unused) == 1;
    ipv6 = inet_pton(AF_INET6, address, &unused) == 1;
    if (text.len >= sizeof(address) || (!ipv4 && !ipv6)) {
        return err_set(err, ERR_USAGE,
                       "--bind: '%.*s' is not an address of this machine: write 192.0.2.1 or "
                       "2001:db8::1, not the name of an interface",
                       STR_ARG(text));
    }
    if ((ipv6 && plan->family == PLAN_IPV4) || (ipv4 && plan->family == PLAN_IPV6)) {
        return err_set(err, ERR_USAGE, "--bind: '%.*s' contradicts %s", STR_ARG(text),
                       ipv6 ? "-4" : "-6");
    }
    return true;
}

/* Takes the lists apart: one address an item. */
static bool check_bind(struct plan *plan, struct err *err)
{
    struct opt_texts addresses = { 0 };

    if (plan->bind.count > 0 && plan->unix_path != NULL) {
        return err_set(err, ERR_USAGE, "--bind: a unix socket has no source address");
    }
    for (size_t i = 0; i < plan->bind.count; i++) {
        struct str rest = str_of(plan->bind.items[i]), piece;

        while (str_cut(&rest, ',', &piece)) {
            if (addresses.count == PLAN_BIND_MAX) {
                opt_texts_fini(&addresses);
                return err_set(err, ERR_USAGE, "--bind: more than %d addresses", PLAN_BIND_MAX);
            }
            if (!check_bind_address(plan, str_trim(piece), err)) {
                opt_texts_fini(&addresses);
                return false;
            }
            opt_texts_add(&addresses, str_trim(piece));
        }
    }
    opt_texts_fini(&plan->bind);
    plan->bind = addresses;
    return true;
}

static bool check_tls(const struct plan *plan, struct err *err)
{
    if (plan->key != NULL && plan->cert == NULL) {
        return err_set(err, ERR_USAGE,
                       "--key: it is the key of which certificate? Give --cert FILE");
    }
    if (plan->insecure && plan->cacert != NULL) {
        return err_set(err, ERR_USAGE,
                       "--insecure trusts anybody, and --cacert says whom to trust: give one");
    }
    if (plan->proxy_tunnel && plan->proxy == NULL) {
        return err_set(err, ERR_USAGE, "--proxytunnel: through which proxy? Give --proxy URL");
    }
    return true;
}

static bool check_unix(const struct plan *plan, struct err *err)
{
    struct sockaddr_un address;

    if (plan->unix_path != NULL && strlen(plan->unix_path) >= sizeof(address.sun_path)) {
        return err_set(err, ERR_USAGE,
                       "--unix: the path is longer than the %zu bytes that a "
                       "socket's name may have",
                       sizeof(address.sun_path) - 1);
    }
    if (plan->unix_path != NULL && plan->family != PLAN_ANY) {
        return err_set(err, ERR_USAGE,
                       "--unix: a unix socket has no IP address, so -4 and -6 "
                       "mean nothing with it");
    }
    return true;
}

/* Whether an entry of --connect-to, or of --resolve, is for one of the items. */
static bool applies(const struct plan *plan, bool connect_to)
{
    for (size_t i = 0; i < plan->item_count; i++) {
        struct route route;

        route_find(plan, &plan->items[i].url, &route);
        if (connect_to ? route.detour : route.addresses.p != NULL) {
            return true;
        }
    }
    return false;
}

/* A load that goes elsewhere than its options say is not what was asked for, so entries of which
 * none applies are refused; some may be for other hosts, as in a line made for curl. */
static bool check_route(const struct plan *plan, struct err *err)
{
    const char *option = plan->connect_to.count > 0 ? "--connect-to" : "--resolve";
    struct route route;

    if (plan->connect_to.count == 0 && plan->resolve.count == 0) {
        return true;
    }
    if (plan->self) {
        return err_set(err, ERR_USAGE, "self has an address of its own: give a URL with %s",
                       option);
    }
    if (plan->unix_path != NULL) {
        return err_set(err, ERR_USAGE, "%s: a unix socket is reached by its path alone", option);
    }
    route_find(plan, &plan->items[0].url, &route);
    if (plan->connect_to.count > 0 && !applies(plan, true)) {
        return err_set(err, ERR_USAGE, "--connect-to: none is for the target's %s:%u",
                       plan->items[0].url.host, plan->items[0].url.port);
    }
    if (plan->resolve.count > 0 && !applies(plan, false)) {
        return err_set(err, ERR_USAGE, "--resolve: none is for %s:%u, which is connected to",
                       route.host, route.port);
    }
    return true;
}

/* Encoding them finds what cannot be sent: a header with a line break, a wrong content-length. */
static bool check_requests(struct plan *plan, struct err *err)
{
    struct buf buf;
    bool ok = true;

    /* The value is not repeated: half of it is a password. */
    if (plan->userpass != NULL && strchr(plan->userpass, ':') == NULL) {
        return err_set(err, ERR_USAGE,
                       "-u: this is NAME:PASS for basic authentication; users are -c 50");
    }
    if (plan->method != NULL && strcmp(plan->method, "CONNECT") == 0) {
        return err_set(err, ERR_USAGE, "-X: CONNECT opens a tunnel and asks for nothing");
    }
    complete_items(plan);
    buf_init(&buf, REQUEST_BYTES_MAX);
    for (size_t i = 0; i < plan->item_count && ok; i++) {
        buf_reset(&buf);
        ok = plan_encode_request(plan, i, &buf, err) || refuse_item(plan, &plan->items[i], err);
    }
    buf_fini(&buf);
    return ok;
}

static bool asks_for_head(const struct plan *plan)
{
    for (size_t i = 0; i < plan->item_count; i++) {
        if (strcmp(plan->items[i].method, "HEAD") == 0) {
            return true;
        }
    }
    return false;
}

static bool check_expect(const struct plan *plan, struct err *err)
{
    bool text = plan->expect_body != NULL;

    if ((text || plan->expect_length > 0) && asks_for_head(plan)) {
        return err_set(err, ERR_USAGE, "--expect-%s: the answer to HEAD has no body",
                       text ? "body" : "length");
    }
    if (text && plan->expect_length >= 0 &&
        strlen(plan->expect_body) > (uint64_t)plan->expect_length) {
        return err_set(err, ERR_USAGE,
                       "--expect-body: a text of %zu bytes is in no body of the %lld bytes of "
                       "--expect-length",
                       strlen(plan->expect_body), (long long)plan->expect_length);
    }
    if (text && strlen(plan->expect_body) > PLAN_EXPECT_BODY_MAX) {
        return err_set(err, ERR_USAGE, "--expect-body: the text is longer than %d bytes",
                       PLAN_EXPECT_BODY_MAX);
    }
    return true;
}

/* A run should end soon after its -d even on a server that hangs: the longer it took to begin, the
 * less it waits in the end. */
static int64_t default_drain_ns(const struct plan *plan)
{
    int64_t drain_ns = BESIDES_MAX_NS - plan->ramp_ns - plan->warmup_ns;

    drain_ns = drain_ns > DRAIN_MAX_NS ? DRAIN_MAX_NS : drain_ns;
    drain_ns = drain_ns < DRAIN_MIN_NS ? DRAIN_MIN_NS : drain_ns;
    return plan->timeout_ns < drain_ns ? plan->timeout_ns : drain_ns;
}

static bool check_load(struct plan *plan, struct err *err)
{
    if (plan->requests > 0 && plan->warmup_ns > 0) {
        return err_set(err, ERR_USAGE,
                       "--warmup: -n counts every request, so none can be left "
                       "out; use -d");
    }
    if (plan->requests == 0 && plan->duration_ns == 0) {
        plan->duration_ns = DURATION_NS;
    }
    if (plan->requests > 0 && plan->connections > plan->requests) {
        plan->connections = plan->requests;
    }
    if (plan->threads > plan->connections) {
        plan->threads = plan->connections;
    }
    if (plan->ramp_ns < 0) {
        /* Short ones with -n start over one response time, which is known only then: see worker.h.
         */
        plan->ramp_ns =
            plan->requests > 0 && plan->close ? 0 : plan->connections * (SEC_NS / RAMP_PER_S);
    }
    if (plan->warmup_ns < 0) {
        plan->warmup_ns = plan->requests > 0 ? 0 : plan->duration_ns / 20;
        plan->warmup_ns = plan->warmup_ns > WARMUP_MAX_NS ? WARMUP_MAX_NS : plan->warmup_ns;
    }
    if (plan->drain_ns < 0) {
        plan->drain_ns = default_drain_ns(plan);
    }
    return true;
}

/* A fast server that fails is not a fast server: every set of promises speaks of errors. */
static bool add_implied_slo(struct plan *plan, struct err *err)
{
    struct slo *slo;

    if (plan->slo_count == 0) {
        return true;
    }
    for (size_t i = 0; i < plan->slo_count; i++) {
        if (plan->slos[i].metric == SLO_ERRORS) {
            return true;
        }
    }
    if (plan->slo_count == SLO_MAX_COUNT) {
        return err_set(err, ERR_USAGE,
                       "--slo: errors<1%% is added to those that say nothing of "
                       "errors, which makes more than %d",
                       SLO_MAX_COUNT);
    }
    slo = &plan->slos[plan->slo_count];
    if (!slo_parse(STR("errors<1%"), slo, err)) {
        return false;
    }
    slo->implied = true;
    plan->slo_count++;
    return true;
}

bool plan_check(struct plan *plan, uint64_t random, struct err *err)
{
    if (!make_items(plan, err) || !check_tls(plan, err) || !check_unix(plan, err) ||
        !plan_proxy_check(plan, err) || !check_route(plan, err) || !check_bind(plan, err) ||
        !check_load(plan, err) || !plan_data_load(plan, err) || !check_requests(plan, err) ||
        !check_expect(plan, err) || !add_implied_slo(plan, err)) {
        return false;
    }
    if (!plan->seed_given) {
        plan->seed = random;
    }
    return true;
}

bool plan_tunnels(const struct plan *plan, const struct url *url)
{
    return plan->proxy != NULL && (plan->proxy_tunnel || url->scheme == URL_HTTPS);
}

struct opt_texts plan_request_headers(const struct plan *plan, size_t item_index)
{
    const struct plan_item *item = &plan->items[item_index];
    size_t own = item->headers.count;
    struct opt_texts all = {
        .items = mem_new(own + plan->headers.count, sizeof(*all.items)),
        .count = own,
    };

    for (size_t i = 0; i < own; i++) {
        all.items[i] = item->headers.items[i];
    }
    for (size_t i = 0; i < plan->headers.count; i++) {
        char *header = plan->headers.items[i];
        bool replaced = false;

        for (size_t k = 0; k < own && !replaced; k++) {
            replaced = request_same_field(header, item->headers.items[k]);
        }
        if (!replaced) {
            all.items[all.count++] = header;
        }
    }
    return all;
}

struct request_parts plan_request_parts(const struct plan *plan, size_t i)
{
    const struct plan_item *item = &plan->items[i];

    return (struct request_parts){
        .url = &item->url,
        .version = plan->http,
        .method = item->method,
        .host = plan->host,
        /* A digest is an answer: it cannot be sent before it was asked for. */
        .userpass = plan->digest ? NULL : plan->userpass,
        .proxy = plan->proxy != NULL && !plan_tunnels(plan, &item->url) ? &plan->proxy_url : NULL,
        .body = item->body,
        .body_apart = item->body_apart,
        .content_type = item->content_type,
        .compressed = plan->compressed,
        .no_auth = plan->digest,
        .close = plan->close,
        .user_agent = "brunt/" BRUNT_VERSION,
    };
}

bool plan_encode_request(const struct plan *plan, size_t i, struct buf *buf, struct err *err)
{
    struct request_parts parts = plan_request_parts(plan, i);
    struct opt_texts headers;
    bool ok;

    if (plan->encoded.p != NULL) {
        buf_add_str(buf, plan->encoded);
        return !buf->overflow ||
               err_set(err, ERR_LIMIT, "the request is larger than %zu bytes", buf->limit);
    }
    headers = plan_request_headers(plan, i);
    parts.headers = (const char *const *)headers.items;
    parts.header_count = headers.count;
    ok = request_encode(&parts, buf, err);
    mem_free(headers.items);
    return ok;
}
