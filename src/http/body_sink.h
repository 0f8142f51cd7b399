/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the bytes of a body go besides being counted: called with slice after slice, in order,
 * without the framing of chunks, as they lie in the reader's buffer. The first member of whoever
 * takes them. A body that has a sink is read and never discarded in the kernel.
 */
#ifndef HTTP_BODY_SINK_H
#define HTTP_BODY_SINK_H

#include "base/str.h"

struct body_sink {
    /* bytes are never empty, and gone after the call */
    void (*take)(struct body_sink *sink, struct str bytes);
};

#endif
