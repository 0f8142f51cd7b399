/* SPDX-License-Identifier: Apache-2.0 */
#include "load/follow.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "http/redirect.h"
#include "plan/plan_change.h"

enum {
    COOKIES_BYTES_MAX = 64 << 10,
    AUTHORIZATION_BYTES_MAX = 4 * URL_BYTES_MAX, /* it holds the URL, three times what was parsed */
    CNONCE_LEN = 16,
};

bool follow_is_wanted(const struct plan *plan)
{
    /* A look at a body needs the head that says how it is encoded. */
    return plan->location || plan->cookies || plan->digest || plan->expect_body != NULL;
}

void follow_init(struct follow *follow, struct order *order)
{
    *follow = (struct follow){ .order = order };
    buf_init(&follow->kept, H1_HEAD_BYTES_MAX + (64 << 10));
    buf_init(&follow->request, REQUEST_BYTES_MAX);
    if (order->plan->digest) {
        follow->auth = mem_new(1, sizeof(*follow->auth));
    }
}

static void forget_moved(struct follow *follow)
{
    if (follow->moved.host != NULL) {
        url_fini(&follow->moved);
        follow->moved = (struct url){ 0 };
    }
}

void follow_fini(struct follow *follow)
{
    forget_moved(follow);
    buf_fini(&follow->kept);
    buf_fini(&follow->request);
    cookie_jar_fini(&follow->jar);
    mem_free(follow->auth);
}

static const struct plan_item *item_of(const struct follow *follow)
{
    return &follow->order->plan->items[follow->item];
}

static const struct url *url_of(const struct follow *follow)
{
    return follow->moved.host != NULL ? &follow->moved : &item_of(follow)->url;
}

/* Name and password, the option's or the URL's. */
static void credentials(const struct follow *follow, struct str *ret_user, struct str *ret_password)
{
    const struct plan *plan = follow->order->plan;
    const char *userpass = plan->userpass != NULL ? plan->userpass : item_of(follow)->url.userinfo;

    *ret_password = str_of(userpass);
    *ret_user = (struct str){ NULL, 0 };
    (void)str_cut(ret_password, ':', ret_user);
}

static bool is_foreign(const struct follow *follow)
{
    return follow->moved.host != NULL &&
           !redirect_same_origin(&item_of(follow)->url, &follow->moved);
}

/* The header's value, when there is a challenge to answer and the password is for this origin. */
static void put_authorization(struct follow *follow, struct rng *rng, struct buf *buf)
{
    static const char digits[] = "0123456789abcdef";
    struct auth_digest_request request = { .method = str_of(follow->method),
                                           .uri = str_of(url_of(follow)->target) };
    char cnonce[CNONCE_LEN];
    uint64_t random = rng_u64(rng);

    if (follow->auth == NULL || follow->auth->state != AUTH_DIGEST_READY || is_foreign(follow)) {
        return;
    }
    for (int i = 0; i < CNONCE_LEN; i++, random >>= 4) {
        cnonce[i] = digits[random & 15];
    }
    request.cnonce = (struct str){ cnonce, CNONCE_LEN };
    request.nc = ++follow->auth_uses;
    credentials(follow, &request.user, &request.password);
    auth_digest_answer(follow->auth, &request, buf);
}

/* false: it cannot be sent. */
static bool encode(struct follow *follow, struct str cookie, struct str authorization)
{
    struct plan_change change = { .url = url_of(follow),
                                  .method = follow->method,
                                  .no_body = follow->no_body,
                                  .foreign = is_foreign(follow),
                                  .cookie = cookie,
                                  .authorization = authorization };
    struct err err;

    if (!plan_change_encode(follow->order->plan, follow->item, &change, &follow->request, &err)) {
        str_copy(follow->why, sizeof(follow->why), str_of(err.text));
        return false;
    }
    return true;
}

static void fill(const struct follow *follow, struct str head, struct exchange *exchange)
{
    const struct order_request *own = &follow->order->requests[follow->item];

    exchange->request = head;
    exchange->body = follow->no_body ? (struct str){ NULL, 0 } : own->body;
    exchange->kind = order_kind(follow->method);
    exchange->idempotent = order_idempotent(follow->method);
    exchange->closes = own->closes;
}

/* With what the user has learned: cookies, the answer to a challenge. */
static bool encode_learned(struct follow *follow, struct rng *rng, int64_t now_s)
{
    struct buf cookie, authorization;
    bool ok = true;

    buf_init(&cookie, COOKIES_BYTES_MAX);
    buf_init(&authorization, AUTHORIZATION_BYTES_MAX);
    if (!cookie_jar_put(&follow->jar, url_of(follow), now_s, &cookie)) {
        buf_reset(&cookie);
    }
    put_authorization(follow, rng, &authorization);
    buf_reset(&follow->request);
    if (cookie.len > 0 || authorization.len > 0 || follow->moved.host != NULL) {
        ok = encode(follow, buf_str(&cookie), buf_str(&authorization));
    }
    buf_fini(&cookie);
    buf_fini(&authorization);
    return ok;
}

/* Where it goes is known; what is to be sent there. */
static bool prepare(struct follow *follow, struct rng *rng, int64_t now_s,
                    struct exchange *exchange)
{
    bool learned = follow->jar.count > 0 || follow->auth != NULL || follow->moved.host != NULL;

    follow->heads.len = 0;
    buf_reset(&follow->kept);
    if (learned && !encode_learned(follow, rng, now_s)) {
        return false;
    }
    fill(follow,
         learned && follow->request.len > 0 ? buf_str(&follow->request)
                                            : follow->order->requests[follow->item].head,
         exchange);
    return true;
}

void follow_begin(struct follow *follow, uint32_t item, struct rng *rng, int64_t now_s,
                  struct exchange *exchange, uint16_t *ret_origin)
{
    forget_moved(follow);
    follow->item = item;
    follow->method = item_of(follow)->method;
    follow->no_body = false;
    follow->redirects = follow->challenges = 0;
    *ret_origin = follow->order->requests[item].origin;
    if (!prepare(follow, rng, now_s, exchange)) {
        /* The cookies make it too large: it goes without them. */
        fill(follow, follow->order->requests[item].head, exchange);
    }
}

void follow_hear(struct follow *follow, struct str bytes)
{
    if (follow->heads.len == 0) {
        follow->heads = bytes;
        return;
    }
    buf_add_str(&follow->kept, bytes);
    follow->heads = buf_str(&follow->kept);
}

void follow_heard(struct follow *follow, const struct h1_parse *answer, bool done)
{
    /* No more of what came than the heads: bodies are long. */
    if (answer->head_done && answer->head_bytes < follow->heads.len) {
        follow->heads.len = answer->head_bytes;
    }
    if (follow->kept.len == 0 && !done) {
        buf_add_str(&follow->kept, follow->heads);
        follow->heads = buf_str(&follow->kept);
    }
}

static struct str head_of(const struct follow *follow)
{
    return h1_final_head(follow->heads);
}

static void take_cookies(struct follow *follow, int64_t now_s)
{
    struct str rest = head_of(follow), value;

    while (h1_head_next(&rest, STR("set-cookie"), &value)) {
        enum cookie_fate fate = cookie_jar_take(&follow->jar, url_of(follow), value, now_s);

        if (cookie_dropped(fate) && follow->counts.cookies_dropped++ == 0) {
            (void)snprintf(follow->counts.cookie_sample, FOLLOW_WHY_MAX, "%s",
                           cookie_fate_text(fate));
        }
    }
}

static bool has_credentials(const struct follow *follow)
{
    struct str user, password;

    credentials(follow, &user, &password);
    return user.p != NULL;
}

/* Whether the answer asks who we are, and that can be said. */
static bool take_challenge(struct follow *follow)
{
    struct str rest = head_of(follow), value;
    struct auth_digest auth = { 0 };

    while (h1_head_next(&rest, STR("www-authenticate"), &value)) {
        auth_digest_read(&auth, value);
    }
    if (auth.state != AUTH_DIGEST_READY || is_foreign(follow) || !has_credentials(follow)) {
        return false;
    }
    /* Refused once with a nonce that was good: the password is wrong. */
    if ((follow->challenges > 0 && !auth.stale) || follow->challenges >= FOLLOW_CHALLENGES_MAX) {
        return false;
    }
    follow->challenges++;
    follow->auth_uses = 0;
    *follow->auth = auth;
    return true;
}

static enum follow_step lose(struct follow *follow, const char *why)
{
    str_copy(follow->why, sizeof(follow->why), str_of(why));
    /* A Location may have been folded, and what is shown is a line. */
    for (char *c = follow->why; *c != '\0'; c++) {
        *c = (unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c;
    }
    return FOLLOW_LOST;
}

static enum follow_step take_redirect(struct follow *follow, unsigned status)
{
    struct str head = head_of(follow), location;
    bool keeps_body;
    struct url url;
    struct err err;

    if (!h1_head_next(&head, STR("location"), &location)) {
        return FOLLOW_END;
    }
    if (follow->redirects == follow->order->plan->max_redirects) {
        char why[FOLLOW_WHY_MAX];

        (void)snprintf(why, sizeof(why), "redirect limit: after %u still to '%.*s'",
                       follow->redirects, (int)(location.len < 60 ? location.len : 60), location.p);
        return lose(follow, why);
    }
    if (!redirect_resolve(url_of(follow), location, &url, &err)) {
        return lose(follow, err.text);
    }
    follow->redirects++;
    follow->method = redirect_method(status, follow->method, &keeps_body);
    follow->no_body = follow->no_body || !keeps_body;
    forget_moved(follow);
    follow->moved = url;
    return FOLLOW_AGAIN;
}

enum follow_step follow_on(struct follow *follow, const struct h1_parse *answer, struct rng *rng,
                           int64_t now_s, struct exchange *exchange, uint16_t *ret_origin)
{
    const struct plan *plan = follow->order->plan;
    enum follow_step step = FOLLOW_END;

    if (plan->cookies) {
        take_cookies(follow, now_s);
    }
    if (plan->digest && answer->status == 401 && take_challenge(follow)) {
        step = FOLLOW_AGAIN;
    } else if (plan->location && redirect_is(answer->status)) {
        step = take_redirect(follow, answer->status);
    }
    if (step != FOLLOW_AGAIN) {
        return step;
    }
    if (!origins_want(&follow->order->origins, url_of(follow), ret_origin)) {
        return lose(follow, "redirects lead to more hosts than there is room for");
    }
    return prepare(follow, rng, now_s, exchange) ? FOLLOW_AGAIN : FOLLOW_LOST;
}
