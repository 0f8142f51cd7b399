/* SPDX-License-Identifier: Apache-2.0 */
#include "target/guest_fault.h"

#include "base/clock.h"
#include "base/mem.h"
#include "net/tls.h"
#include "target/fault.h"
#include "target/guest_send.h"

enum { SENDS_TURN = 64 }; /* then the others */

struct guest_fault {
    struct fault fault;
    int64_t from_ns;      /* the next pause counts from here; 0: from when it begins */
    enum fault_move move; /* once what is unsent is handed over */
    bool is_begun;
};

static struct fault_counts *counts_of(const struct guest *guest)
{
    return guest->lane->setup->faults;
}

static size_t row_of(const struct guest *guest)
{
    return (size_t)(guest->fault->fault.row - fault_table);
}

void guest_fault_take(struct guest *guest, struct str text)
{
    struct guest_fault *fault = mem_new(1, sizeof(*fault));
    struct err err;
    int status = 0;

    if (!fault_parse(text, &fault->fault, &status, &err)) {
        mem_free(fault);
        guest_set_text(guest, status, err.text);
        if (status == 404) {
            fault_list(&guest->body);
        }
        return;
    }
    guest->kind = RESOURCE_FAULT;
    guest->fault = fault;
    guest->is_early = fault->fault.row->early;
}

void guest_fault_begin(struct guest *guest, int64_t start_ns)
{
    struct fault_counts *counts = counts_of(guest);
    size_t row = row_of(guest);
    struct fault_scene scene = {
        .pages = &guest->lane->pages,
        .method = str_of(guest->request.method),
        .target = buf_str(&guest->request.target),
        .authorization = buf_str(&guest->request.authorization),
        .answer = (uint64_t)guest->answers + 1,
        .serial = atomic_fetch_add(&counts->asked[row], 1) + 1,
        .in_work = atomic_fetch_add(&counts->in_work[row], 1) + 1,
        .is_head = guest->request.is_head,
        .connection = guest_connection(guest),
    };

    fault_begin(&guest->fault->fault, &scene);
    guest->fault->is_begun = true;
    guest->fault->from_ns = start_ns;
    guest->handed_ns = 0;
    guest_fault_go_on(guest);
}

void guest_fault_end(struct guest *guest)
{
    struct guest_fault *own = guest->fault;
    struct fault *fault = &own->fault;
    uint64_t unsent = guest->unsent.len - guest->unsent_at;

    if (own->is_begun) {
        (void)atomic_fetch_sub(&counts_of(guest)->in_work[row_of(guest)], 1);
        guest->status = fault->status;
        guest->body_bytes = fault->body_bytes > unsent ? fault->body_bytes - unsent : 0;
        if (guest->handed_ns == 0) {
            guest->handed_ns = clock_now_ns();
        }
        guest_log(guest);
    }
    guest->fault = NULL;
    fault_fini(fault);
    mem_free(own);
}

static void reset(struct guest *guest)
{
    stream_abort(&guest->stream);
    guest_leave(guest);
}

/* Watched by level: what is there already is told of again, and what comes fast does not keep the
 * others waiting. */
void guest_fault_fall_silent(struct guest *guest)
{
    if (guest->fault != NULL) {
        guest_fault_end(guest);
    }
    guest->state = GUEST_SILENT;
    if (!loop_watch_level(&guest->lane->loop, guest->stream.fd, &guest->watch)) {
        guest_leave(guest);
    }
}

static void go_deaf(struct guest *guest)
{
    guest_fault_end(guest);
    guest->state = GUEST_DEAF;
    if (guest->peer_closed) {
        guest_leave(guest);
    }
}

/* The first delay is held against the request's arrival, as all delays are. */
static void hold(struct guest *guest)
{
    struct guest_fault *own = guest->fault;
    int64_t from_ns = own->from_ns != 0 ? own->from_ns : clock_now_ns();

    own->from_ns = 0;
    guest->state = GUEST_HELD;
    timer_set(&guest->timer, &guest->lane->loop, from_ns + own->fault.numbers[FAULT_DELAY]);
}

/* The library does not want to: there is nothing to be tried then. */
static bool renew_failed(struct guest *guest)
{
    guest_leave(guest);
    return false;
}

/* True: the script goes on. */
static bool make_move(struct guest *guest, enum fault_move move)
{
    switch (move) {
    case FAULT_GO_ON:
        return true;
    case FAULT_WAIT:
        hold(guest);
        break;
    case FAULT_FIN:
        guest_fault_end(guest);
        guest_linger(guest);
        break;
    case FAULT_HALF_CLOSE:
        stream_end(&guest->stream, true);
        guest_fault_fall_silent(guest);
        break;
    case FAULT_ABRUPT:
        guest_fault_end(guest);
        stream_end(&guest->stream, false);
        guest_linger(guest);
        break;
    case FAULT_RESET:
        reset(guest);
        break;
    case FAULT_RENEW:
        return guest->stream.tls == NULL || tls_renew(&guest->stream) || renew_failed(guest);
    case FAULT_SILENT:
        guest_fault_fall_silent(guest);
        break;
    case FAULT_DEAF:
        go_deaf(guest);
        break;
    case FAULT_DONE:
        guest_finish(guest);
        break;
    }
    return false;
}

void guest_fault_go_on(struct guest *guest)
{
    struct guest_fault *own = guest->fault;

    for (int i = 0; i < SENDS_TURN; i++) {
        struct str bytes;

        own->move = fault_next(&own->fault, &bytes);
        if (bytes.len > 0) {
            own->from_ns = 0;
            if (!guest_send(guest, bytes)) {
                return;
            }
        }
        if (!make_move(guest, own->move)) {
            return;
        }
    }
    guest_send_later(guest);
}

void guest_fault_resume(struct guest *guest)
{
    struct str unsent = str_from(buf_str(&guest->unsent), guest->unsent_at);

    if (unsent.len > 0) {
        if (!guest_send(guest, unsent)) {
            return;
        }
        buf_reset(&guest->unsent);
        guest->unsent_at = 0;
    }
    if (make_move(guest, guest->fault->move)) {
        guest_fault_go_on(guest);
    }
}
