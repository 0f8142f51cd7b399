/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "net/tls_state.h"

static bool refill(struct tls_context *context, BIO *bio)
{
    struct stream_read read;

    if (context->room < TLS_TEXT_BYTES) {
        context->starved = true;
        BIO_set_retry_read(bio);
        return false;
    }
    read = stream_socket_read(context->stream, STREAM_COPY, context->buffer, TLS_PULL_BYTES);
    switch (read.io) {
    case IO_DONE:
        context->in = (struct str){ context->buffer, read.n };
        context->drained = read.drained;
        context->stamp_real_ns = read.stamp_real_ns;
        return true;
    case IO_WAIT:
        context->drained = true;
        BIO_set_retry_read(bio);
        return false;
    case IO_EOF:
        context->end = true;
        return false;
    case IO_FAIL:
        return false;
    }
    return false;
}

static int lower_read(BIO *bio, char *out, size_t max, size_t *ret_n)
{
    struct tls_context *context = BIO_get_data(bio);

    BIO_clear_retry_flags(bio);
    if (context->in.len == 0 && !refill(context, bio)) {
        return 0;
    }
    *ret_n = max < context->in.len ? max : context->in.len;
    memcpy(out, context->in.p, *ret_n);
    context->in = str_from(context->in, *ret_n);
    return 1;
}

static int lower_write(BIO *bio, const char *bytes, size_t len, size_t *ret_n)
{
    struct tls_context *context = BIO_get_data(bio);

    BIO_clear_retry_flags(bio);
    switch (stream_socket_write(context->stream, (struct str){ bytes, len }, ret_n)) {
    case IO_DONE:
        return 1;
    case IO_WAIT:
        BIO_set_retry_write(bio);
        return 0;
    case IO_EOF:
    case IO_FAIL:
        return 0;
    }
    return 0;
}

static long lower_control(BIO *bio, int command, UNUSED long number, UNUSED void *pointer)
{
    const struct tls_context *context = BIO_get_data(bio);

    switch (command) {
    case BIO_CTRL_FLUSH:
        return 1;
    case BIO_CTRL_EOF:
        return context->end;
    default:
        return 0;
    }
}

bool tls_lower_make(struct tls_context *context)
{
    context->method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "brunt stream");
    if (context->method == NULL || BIO_meth_set_read_ex(context->method, lower_read) != 1 ||
        BIO_meth_set_write_ex(context->method, lower_write) != 1 ||
        BIO_meth_set_ctrl(context->method, lower_control) != 1) {
        return false;
    }
    context->lower = BIO_new(context->method);
    if (context->lower == NULL) {
        return false;
    }
    BIO_set_data(context->lower, context);
    BIO_set_init(context->lower, 1);
    return true;
}
