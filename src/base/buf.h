/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that grow up to a limit given at birth.
 *
 * buf->data is ended by a zero byte that len does not count (NULL while empty and never written).
 * What would pass the limit is not written at all and sets `overflow`, which stays set: check it
 * once at the end instead of after every write. A zeroed buf is a valid empty one of limit 0; fini
 * accepts it.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct buf {
    char *data;
    size_t len, room, limit;
    bool overflow;
};

void buf_init(struct buf *buf, size_t limit_bytes);
void buf_fini(struct buf *buf);
void buf_reset(struct buf *buf); /* empty again, memory kept */

void buf_add(struct buf *buf, const void *bytes, size_t n);
void buf_add_str(struct buf *buf, struct str text);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char byte);
void buf_printf(struct buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);

static inline struct str buf_str(const struct buf *buf)
{
    return (struct str){ buf->data == NULL ? "" : buf->data, buf->len };
}

#endif
