/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection to the built-in server, and the request of it that is in work.
 *
 * A guest reads a request, waits in line when the workers are busy, is held for its delay, sends
 * its answer, and reads the next: one thing at a time, so pipelined requests are answered in order
 * and a guest that does not read is not read from. An idle guest owns some 600 bytes and no buffer:
 * input lives in the lane, and only what is left over is copied. Sending is in guest_send, answers
 * of /fault/NAME are in guest_fault.
 *
 * Belongs to its lane and is freed by it: guest_welcome() to guest_leave().
 */
#ifndef TARGET_GUEST_H
#define TARGET_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "ev/loop.h"
#include "http/h1_request_parse.h"
#include "net/stream.h"
#include "target/gate.h"
#include "target/lane.h"
#include "target/resource.h"

enum guest_state {
    GUEST_GONE,
    GUEST_SHAKING, /* hands, with TLS */
    GUEST_READING,
    GUEST_IN_LINE, /* for the gate */
    GUEST_HELD,    /* until its timer is due */
    GUEST_SENDING,
    GUEST_LINGERING, /* all said; reads until the peer closes, so that no reset eats the answer */
    GUEST_SILENT,    /* a fault: reads and says nothing until the peer closes; watched by level */
    GUEST_DEAF,      /* a fault: does not even read */
};

enum { GUEST_ECHO_BYTES_MAX = 1 << 20 };

struct guest_fault;

struct guest {
    struct watch watch;
    struct timer timer;
    struct gate_ticket ticket;
    struct lane *lane;
    struct guest *next, *previous; /* of all guests, or of the idle */
    struct guest *next_eager;
    uint64_t number;
    struct stream stream;
    enum guest_state state;
    bool readable;    /* there may be something to read */
    bool peer_closed; /* the peer's end of the stream will be met */
    bool leftover;    /* input beyond the request in work */
    bool is_eager;
    bool refused;     /* not a request: answered and shown out */
    bool is_early;    /* its answer does not wait for the request's end */
    uint32_t answers; /* on this connection */
    struct h1_request_parse request;
    struct buf rest; /* read, not parsed */
    size_t rest_at;
    int64_t read_ns; /* when what was read last had arrived */
    /* the request in work */
    enum resource_kind kind;
    int status;
    int64_t bytes, delay_ns, arrival_ns;
    struct buf body;           /* echoed, or a text */
    struct guest_fault *fault; /* owned; NULL: an answer without one */
    /* its answer */
    struct buf unsent;
    size_t unsent_at;
    int64_t block_left; /* of the lane's block, behind what is unsent */
    uint64_t body_bytes;
    int64_t handed_ns; /* just before the call that took the last of it; 0 without a log */
};

/* Takes fd over. False: it could not be watched (and was closed). */
bool guest_welcome(struct lane *lane, int fd);
/* The gate let its ticket in. */
void guest_admit(struct guest *guest);
/* Its turn to send again. */
void guest_resume(struct guest *guest);
/* Closes the connection, whatever it is in. */
void guest_leave(struct guest *guest);
/* Reads into the lane's input, with the time of arrival in read_ns: the kernel's stamp when there
 * is a log, the clock otherwise. */
enum io guest_receive(struct guest *guest, struct str *ret_in);
/* Frees the memory of one that left. */
void guest_free(struct guest *guest);

/* What the parts of a guest have of each other. */

/* The answer is a text with that status. */
void guest_set_text(struct guest *guest, int status, const char *text);
/* How the answer's head says that the connection goes on. */
enum answer_connection guest_connection(const struct guest *guest);
/* The answer was handed over whole: the next request, or the end. */
void guest_finish(struct guest *guest);
/* Counts the answer and writes its line; the next in line may be in work. */
void guest_log(struct guest *guest);
/* Ends this side and waits a while for the other. */
void guest_linger(struct guest *guest);
/* Reads and drops; leaves at the end of the stream, and when a lingering guest goes on and on. */
void guest_drain(struct guest *guest);

#endif
