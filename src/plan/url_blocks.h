/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form of a file of URLs that has a request in several lines, as vegeta's HTTP form: see
 * plan/url_file.h.
 */
#ifndef PLAN_URL_BLOCKS_H
#define PLAN_URL_BLOCKS_H

#include "plan/url_reader.h"

/* Whether a line begins a request: "METHOD URL". */
bool url_blocks_begin(struct str line);

void url_blocks_read(struct url_reader *reader);

#endif
