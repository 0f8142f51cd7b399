/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who the built-in server is over TLS: its certificate, made or given, and a context for each lane.
 */
#ifndef TARGET_IDENTITY_H
#define TARGET_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "target/target.h"

struct identity {
    struct tls_cert *cert;         /* made here, or NULL */
    struct tls_context **contexts; /* NULL: plain */
    size_t count;
};

/* What contradicts itself (ERR_USAGE). */
bool identity_check(const struct target_tls *config, struct err *err) MUST_CHECK;
/* Makes or reads the certificate, writes a made one to where it is wanted. Without TLS it does
 * nothing. */
bool identity_open(struct identity *identity, const struct target_tls *config, size_t count,
                   struct err *err) MUST_CHECK;
void identity_close(struct identity *identity); /* accepts a zeroed one */

#endif
