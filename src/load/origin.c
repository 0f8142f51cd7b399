/* SPDX-License-Identifier: Apache-2.0 */
#include "load/origin.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "http/request.h"

/* RFC 9110 section 9.3.6: the authority with its port, always. */
static char *encode_connect(const struct plan *plan, const struct url *url)
{
    struct buf buf;
    char *text;

    buf_init(&buf, REQUEST_BYTES_MAX);
    request_encode_connect(url, &plan->proxy_url, "brunt/" BRUNT_VERSION, &buf);
    text = mem_strndup(buf.data, buf.len);
    buf_fini(&buf);
    return text;
}

void origin_init(struct origin *origin, const struct plan *plan, const struct url *url, bool own)
{
    *origin = (struct origin){
        .scheme = url->scheme,
        .host = mem_strdup(url->host),
        .port = url->port,
        .tls = url->scheme == URL_HTTPS,
        .tls_name = mem_strdup(own && plan->sni != NULL ? plan->sni : url->host),
    };
    if (plan_tunnels(plan, url)) {
        origin->connect = encode_connect(plan, url);
    }
}

void origin_fini(struct origin *origin)
{
    mem_free(origin->host);
    mem_free(origin->tls_name);
    mem_free(origin->connect);
    *origin = (struct origin){ 0 };
}

bool origin_is_of(const struct origin *origin, const struct url *url)
{
    return origin->scheme == url->scheme && origin->port == url->port &&
           strcmp(origin->host, url->host) == 0;
}

void origin_state_init(struct origin_state *state, const struct origin *origin)
{
    *state = (struct origin_state){
        .tunnel = { .request = str_of(origin->connect), .kind = H1_REQUEST_CONNECT },
    };
    if (origin->tls) {
        tls_peer_init(&state->peer, origin->tls_name);
    }
}

void origin_state_fini(struct origin_state *state)
{
    tls_peer_fini(&state->peer);
}

static enum tls_version version_of(enum plan_tls_version version)
{
    switch (version) {
    case PLAN_TLS_ANY:
        return TLS_VERSION_ANY;
    case PLAN_TLS_1_2:
        return TLS_VERSION_1_2;
    case PLAN_TLS_1_3:
        return TLS_VERSION_1_3;
    }
    return TLS_VERSION_ANY;
}

struct tls_options origin_tls_options(const struct plan *plan)
{
    return (struct tls_options){
        .verify = !plan->insecure,
        .cacert = plan->cacert,
        .cert = plan->cert,
        .key = plan->key,
        .least = version_of(plan->tls_min),
        .most = version_of(plan->tls_max),
        .ciphers = plan->ciphers,
        .resume = plan->tls_resume,
        .no_sni = plan->no_sni,
    };
}
