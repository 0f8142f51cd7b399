/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Secrets taken out of what a person typed, before it is shown or kept: each becomes ***.
 *
 * Secret are: values of -u and --user; the user information of URLs, wherever one stands; the
 * values of headers whose name speaks of authorization, cookies, keys, tokens or passwords; data
 * given on the command line (the name of a file, "@FILE", is not). Cutting too much is the safe
 * side.
 */
#ifndef RESULT_REDACT_H
#define RESULT_REDACT_H

#include "base/buf.h"
#include "base/str.h"

/* What an argument says of the one after it. */
enum redact_next { REDACT_NEXT_FREE, REDACT_NEXT_SECRET, REDACT_NEXT_HEADER, REDACT_NEXT_DATA };

/* Appends one argument of a command line. `next` is what the argument before it said; start with
 * REDACT_NEXT_FREE. What follows "--" holds no options: redact_url. */
enum redact_next redact_argument(struct str argument, enum redact_next next, struct buf *buf);
/* The same for an argument of curl, after the word `curl`: of its options -b, -d, -E, -F and -U are
 * secret too. */
enum redact_next redact_curl_argument(struct str argument, enum redact_next next, struct buf *buf);
/* Appends a target or any other free text: only the user information of a URL is cut. */
void redact_url(struct str text, struct buf *buf);

#endif
