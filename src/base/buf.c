/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

void buf_init(struct buf *buf, size_t limit_bytes)
{
    *buf = (struct buf){ .limit = limit_bytes };
}

void buf_fini(struct buf *buf)
{
    mem_free(buf->data);
    *buf = (struct buf){ 0 };
}

void buf_reset(struct buf *buf)
{
    buf->len = 0;
    buf->overflow = false;
    if (buf->data != NULL) {
        buf->data[0] = '\0';
    }
}

static bool buf_reserve(struct buf *buf, size_t n)
{
    size_t room = buf->room > 0 ? buf->room : 64;

    if (n > buf->limit - buf->len) {
        buf->overflow = true;
        return false;
    }
    if (buf->len + n < buf->room) {
        return true;
    }
    while (room <= buf->len + n) {
        room *= 2;
    }
    buf->data = mem_resize(buf->data, room, 1);
    buf->room = room;
    return true;
}

void buf_add(struct buf *buf, const void *bytes, size_t n)
{
    if (!buf_reserve(buf, n)) {
        return;
    }
    if (n > 0) {
        memcpy(buf->data + buf->len, bytes, n);
    }
    buf->len += n;
    buf->data[buf->len] = '\0';
}

void buf_add_str(struct buf *buf, struct str text)
{
    buf_add(buf, text.p, text.len);
}

void buf_puts(struct buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}

void buf_putc(struct buf *buf, char byte)
{
    buf_add(buf, &byte, 1);
}

void buf_printf(struct buf *buf, const char *format, ...)
{
    va_list args;
    int need;

    va_start(args, format);
    need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (need < 0 || !buf_reserve(buf, (size_t)need)) {
        return;
    }
    va_start(args, format);
    (void)vsnprintf(buf->data + buf->len, (size_t)need + 1, format, args);
    va_end(args);
    buf->len += (size_t)need;
}
