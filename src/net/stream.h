/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes to and from a peer over a connected socket, TCP or a unix socket, and over TLS on it.
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
 * tls_start() of net/tls.h lays TLS over a stream; once its handshake is done the functions here
 * are the same as for a bare one, but that nothing can be discarded. The stamp is then that of the
 * record's last byte. A stream may be moved, not copied.
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

struct tls;

struct stream {
    int fd;
    int error;      /* errno of the last IO_FAIL; EPROTO when TLS failed: tls_context_reason() */
    uint32_t lowat; /* SO_RCVLOWAT in force; 1 by default */
    bool stamps;    /* reads carry kernel receive stamps */
    bool tcp;
    bool wants_write; /* TLS: the last call said IO_WAIT since it could not send, whatever it was */
    bool unclean;     /* TLS: the end came without a word of it (no close_notify) */
    struct tls *tls;  /* over the socket, or NULL */
};

struct stream_options {
    const struct address *bind; /* source address, or NULL */
    bool stamps;
    int buffer_bytes; /* of the kernel's buffers, each way; 0: its own choice */
    /* The local port is one of these, when the kernel can do that (Linux 6.3); 0: its own choice.
     */
    uint16_t port_low, port_high;
};

struct stream_read {
    enum io io;
    size_t n;              /* bytes, with IO_DONE */
    bool drained;          /* nothing more is there now: the loop will tell of what comes */
    int64_t stamp_real_ns; /* CLOCK_REALTIME; 0: none */
};

/* Begins to connect. false: failed at once, stream->error says why and the stream is closed. */
bool stream_connect(struct stream *stream, const struct address *address,
                    const struct stream_options *options);

/* Takes over a connected socket that is non-blocking; stamps: it has them switched on. */
void stream_of_socket(struct stream *stream, int fd, bool tcp, bool stamps);

/* Once a connection that was under way became writable: 0, or the errno it failed with. */
int stream_connect_error(const struct stream *stream);

/* Sends what fits; *ret_n bytes with IO_DONE. After less than all, and after IO_WAIT, the loop
 * tells when there is room again. */
enum io stream_write(struct stream *stream, struct str bytes, size_t *ret_n);

/* Reads at most max bytes into buffer (COPY) or off the stream (DISCARD; the buffer is not written
 * to). With TLS max is at least TLS_READ_BYTES_MIN. */
struct stream_read stream_read(struct stream *stream, enum stream_mode mode, void *buffer,
                               size_t max);

bool stream_can_discard(const struct stream *stream);

/*
 * The loop need not be told of less than n bytes (SO_RCVLOWAT), but at the end of the stream. The
 * kernel wakes early when its window is nearly shut, so this must be lowered after every partial
 * read to what is still wanted; it costs a system call when it changes.
 */
void stream_want(struct stream *stream, uint32_t n);

/* Ends this side: nothing more is sent, and the peer is told by a FIN. With TLS nothing can be read
 * any more either, and notify says whether it is told by TLS too. */
void stream_end(struct stream *stream, bool notify);

/* Nothing more can be read, and that is known already: the loop will not tell of it. */
bool stream_over(const struct stream *stream);

/* Accepts a closed one. With TLS the peer is told, unless it closed first. */
void stream_close(struct stream *stream);
/* Ends TLS without a word and leaves the socket. */
void stream_bare(struct stream *stream);
/* Throws the connection away with a reset: no TIME_WAIT on this side. For cancelled exchanges at
 * the end only. */
void stream_abort(struct stream *stream);

/* Of the socket itself, below TLS: for net/tls alone. */
struct stream_read stream_socket_read(struct stream *stream, enum stream_mode mode, void *buffer,
                                      size_t max);
enum io stream_socket_write(struct stream *stream, struct str bytes, size_t *ret_n);

#endif
