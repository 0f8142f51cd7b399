/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a path of the built-in server stands for.
 *
 *     /                    the fixed page
 *     /bytes/N             N bytes ("4096", "4k", "16g")
 *     /echo                the body of the request
 *     /status/N            the status N, 200 to 999
 *     /delay?LAW[&bytes=N] an answer held for a while: see delay.h
 *     /fault/NAME[?PARAM]  an answer that is odd or wrong: see fault.h, which reads the name
 *
 * A query means something to /delay and /fault only; elsewhere it is read over, so that "/?17" is
 * the page.
 */
#ifndef TARGET_RESOURCE_H
#define TARGET_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "target/delay.h"

enum resource_kind {
    RESOURCE_PAGE,
    RESOURCE_BYTES,
    RESOURCE_ECHO,
    RESOURCE_STATUS,
    RESOURCE_FAULT,
};

#define RESOURCE_BYTES_MAX (INT64_C(16) << 30)

struct resource {
    enum resource_kind kind;
    int status;
    int64_t bytes;    /* of RESOURCE_BYTES */
    struct str fault; /* of RESOURCE_FAULT: what follows "/fault/", query and all */
    struct delay delay;
};

/* Takes the target as it was sent, in origin or absolute form. False: ret_status (404 or 400) and
 * err say why. */
bool resource_parse(struct str target, struct resource *ret_resource, int *ret_status,
                    struct err *err) MUST_CHECK;

#endif
