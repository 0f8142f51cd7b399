/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a request failed: one word each, the same in text, JSON, HTML and the man page.
 *
 * Every failed request is in exactly one cause. The third column says whose doing it is: 'l' this
 * machine (never blamed on the server), 's' the server or the network, 'e' an expectation of the
 * user's that the answer did not meet.
 */
#ifndef BASE_FAIL_H
#define BASE_FAIL_H

#include <stdbool.h>

#define FAIL_LIST(X)                                                                               \
    X(DNS, "dns", 's', "the name of the host could not be resolved")                               \
    X(CONNECT_REFUSED, "connect-refused", 's', "nothing listens at the address, or it refuses")    \
    X(CONNECT_TIMEOUT, "connect-timeout", 's', "no connection within --connect-timeout")           \
    X(CONNECT_OTHER, "connect-other", 's', "the connection could not be made for another reason")  \
    X(NO_PORT, "no-port", 'l', "this machine has no free local port: --bind more addresses")       \
    X(NO_DESCRIPTOR, "no-descriptor", 'l', "this machine has no free descriptor: ulimit -n")       \
    X(TLS, "tls", 's', "TLS failed, most often its handshake")                                     \
    X(STALE_CONNECTION, "stale-connection", 's',                                                   \
      "the server closed a kept-alive connection as the request was sent")                         \
    X(RESET, "reset", 's', "the connection was reset before the answer was complete")              \
    X(CLOSED_EARLY, "closed-early", 's', "the server closed without an answer")                    \
    X(TRUNCATED, "truncated", 's', "the server closed in the middle of the answer")                \
    X(PROTOCOL, "protocol", 's', "the answer is not HTTP")                                         \
    X(TIMEOUT_SEND, "timeout-send", 's', "the request could not be sent within --timeout")         \
    X(TIMEOUT_FIRST_BYTE, "timeout-first-byte", 's', "no answer within --timeout")                 \
    X(TIMEOUT_BODY, "timeout-body", 's', "the answer began but was not complete within --timeout") \
    X(STATUS, "status", 'e', "the status is not one that counts as good")                          \
    X(CHECK, "check", 'e', "the answer did not meet an expectation")                               \
    X(REDIRECT, "redirect", 'e', "redirected too often, or to nowhere")                            \
    X(CANCELLED, "cancelled", 'l', "given up by this side")

enum fail {
#define FAIL_ENUM(name, word, side, text) FAIL_##name,
    FAIL_LIST(FAIL_ENUM)
#undef FAIL_ENUM
        FAIL_COUNT,
    FAIL_NONE = FAIL_COUNT
};

/* The word of the contract ("connect-refused"); "none" for FAIL_NONE. */
const char *fail_word(enum fail fail);

/* One sentence for people. */
const char *fail_text(enum fail fail);

/* True when this machine is the cause and not the server. */
bool fail_is_local(enum fail fail);

#endif
