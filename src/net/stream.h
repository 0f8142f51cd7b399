/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes to and from a peer over a connected socket: TCP or a unix socket.
 *
 * Life cycle: stream_connect() begins a connection; the stream is usable at once: a write before
 * the connection stands says IO_WAIT, a failed one IO_FAIL with the reason in `error`.
 * stream_close() ends it; a zeroed stream with fd -1 is a closed one. Nothing here waits, reads a
 * clock or allocates.
 *
 * Reading has two modes. COPY puts bytes into a buffer. DISCARD drops them inside the kernel,
 * uncopied (TCP only, see stream_can_discard()). A stream with stamps reports for each read when
 * the kernel received the last byte of it.
 *
 * TLS will be another kind of stream over this one: whoever reads and writes uses only the
 * functions here.
 */
#ifndef NET_STREAM_H
#define NET_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "net/address.h"

enum io {
    IO_DONE, /* some bytes, or all */
    IO_WAIT, /* nothing now: the loop will say when */
    IO_EOF,  /* the peer has closed its side */
    IO_FAIL, /* stream->error says why */
};

enum stream_mode { STREAM_COPY, STREAM_DISCARD };

struct stream {
    int fd;
    int error;      /* errno of the last IO_FAIL */
    uint32_t lowat; /* SO_RCVLOWAT in force; 1 by default */
    bool stamps;    /* reads carry kernel receive stamps */
    bool tcp;
};

struct stream_options {
    const struct address *bind; /* source address, or NULL */
    bool stamps;
    int buffer_bytes; /* of the kernel's buffers, each way; 0: its own choice */
};

struct stream_read {
    enum io io;
    size_t n;              /* bytes, with IO_DONE */
    int64_t stamp_real_ns; /* CLOCK_REALTIME; 0: none */
};

/* Begins to connect. false: failed at once, stream->error says why and the stream is closed. */
bool stream_connect(struct stream *stream, const struct address *address,
                    const struct stream_options *options);

/* Once a connection that was under way became writable: 0, or the errno it failed with. */
int stream_connect_error(const struct stream *stream);

/* Sends what fits; *ret_n bytes with IO_DONE. */
enum io stream_write(struct stream *stream, struct str bytes, size_t *ret_n);

/* Reads at most max bytes into buffer (COPY) or off the stream (DISCARD; the buffer is not written
 * to). */
struct stream_read stream_read(struct stream *stream, enum stream_mode mode, void *buffer,
                               size_t max);

bool stream_can_discard(const struct stream *stream);

/*
 * The loop need not be told of less than n bytes (SO_RCVLOWAT), but at the end of the stream. The
 * kernel wakes early when its window is nearly shut, so this must be lowered after every partial
 * read to what is still wanted; it costs a system call when it changes.
 */
void stream_want(struct stream *stream, uint32_t n);

/* Accepts a closed one. */
void stream_close(struct stream *stream);
/* Throws the connection away with a reset: no TIME_WAIT on this side. For cancelled exchanges at
 * the end only. */
void stream_abort(struct stream *stream);

#endif
