/* SPDX-License-Identifier: Apache-2.0 */
#include "target/guest_tls.h"

#include "net/tls.h"
#include "target/guest_fault.h"

/* handshake_failure(40), fatal, unencrypted (RFC 8446 section 6). */
static const char alert[] = { 21, 3, 3, 0, 2, 2, 40 };
static const char plain[] =
    "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

void guest_tls_welcome(struct guest *guest)
{
    const struct lane *lane = guest->lane;

    guest->state = GUEST_SHAKING;
    if (lane->setup->config->tls.fault == TARGET_TLS_GOOD) {
        tls_start(&guest->stream, lane->tls, NULL);
    }
}

static void say_and_end(struct guest *guest, struct str text)
{
    size_t n;

    (void)stream_write(&guest->stream, text, &n);
    guest_linger(guest);
}

/* Once the first bytes of the client are there to be read. */
static void fail(struct guest *guest)
{
    if (!guest->readable) {
        return;
    }
    switch (guest->lane->setup->config->tls.fault) {
    case TARGET_TLS_GOOD:
        break;
    case TARGET_TLS_STALL:
        guest_fault_fall_silent(guest);
        break;
    case TARGET_TLS_CLOSE:
        guest_linger(guest);
        break;
    case TARGET_TLS_RESET:
        stream_abort(&guest->stream);
        guest_leave(guest);
        break;
    case TARGET_TLS_ALERT:
        say_and_end(guest, (struct str){ alert, sizeof(alert) });
        break;
    case TARGET_TLS_PLAIN:
        say_and_end(guest, STR(plain));
        break;
    }
}

void guest_tls_shake(struct guest *guest)
{
    if (guest->stream.tls == NULL) {
        fail(guest);
        return;
    }
    switch (tls_handshake(&guest->stream)) {
    case IO_DONE:
        guest->state = GUEST_READING;
        /* The first request may have come along. */
        guest->readable = true;
        break;
    case IO_WAIT:
        break;
    case IO_EOF:
    case IO_FAIL:
        guest_leave(guest);
        break;
    }
}
