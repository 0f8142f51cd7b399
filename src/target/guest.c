/* SPDX-License-Identifier: Apache-2.0 */
#include "target/guest.h"

#include <assert.h>
#include <errno.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/mem.h"
#include "target/guest_fault.h"
#include "target/guest_send.h"
#include "target/guest_tls.h"

enum {
    KEPT_BUF_BYTES = 4 << 10, /* larger ones are freed after the answer */
    DRAIN_READS_MAX = 16,
};

static const int64_t linger_ns = 2 * SEC_NS;

/* Reading */

/* The next input, left over or fresh. False: there is none yet, or the guest left. */
static bool guest_input(struct guest *guest, struct str *ret_in)
{
    if (guest->rest_at < guest->rest.len) {
        *ret_in = str_from(buf_str(&guest->rest), guest->rest_at);
        return true;
    }
    if (!guest->readable) {
        return false;
    }
    switch (guest_receive(guest, ret_in)) {
    case IO_DONE:
        return true;
    case IO_WAIT:
        guest->readable = false;
        break;
    case IO_EOF:
    case IO_FAIL:
        guest_leave(guest);
        break;
    }
    return false;
}

static void keep_rest(struct guest *guest, struct str left)
{
    if (left.len == 0) {
        buf_fini(&guest->rest);
        buf_init(&guest->rest, LANE_INPUT_BYTES);
        guest->rest_at = 0;
    } else if (guest->rest_at < guest->rest.len) {
        guest->rest_at = guest->rest.len - left.len;
    } else {
        buf_reset(&guest->rest);
        buf_add_str(&guest->rest, left);
        guest->rest_at = 0;
    }
}

/* Leaving */

void guest_leave(struct guest *guest)
{
    struct lane *lane = guest->lane;

    if (guest->fault != NULL) {
        guest_fault_end(guest);
    }
    loop_forget(&lane->loop, &guest->watch);
    stream_close(&guest->stream);
    timer_remove(&guest->timer, &lane->loop);
    gate_leave(lane->setup->gate, &guest->ticket);
    guest_send_forget(guest);
    buf_fini(&guest->rest);
    buf_fini(&guest->body);
    buf_fini(&guest->unsent);
    if (guest->previous != NULL) {
        guest->previous->next = guest->next;
    } else {
        lane->all = guest->next;
    }
    if (guest->next != NULL) {
        guest->next->previous = guest->previous;
    }
    guest->state = GUEST_GONE;
    guest->next = lane->idle;
    lane->idle = guest;
}

void guest_free(struct guest *guest)
{
    h1_request_parse_fini(&guest->request);
    mem_free(guest);
}

void guest_drain(struct guest *guest)
{
    for (int i = 0; i < DRAIN_READS_MAX; i++) {
        ssize_t n = recv(guest->stream.fd, guest->lane->input, LANE_INPUT_BYTES, 0);

        if (n < 0 && errno == EAGAIN) {
            return;
        }
        if (n == 0 || (n < 0 && errno != EINTR)) {
            guest_leave(guest);
            return;
        }
    }
    if (guest->state == GUEST_LINGERING) {
        guest_leave(guest);
    }
}

/* The last answer was sent whole. With nothing unread close() is enough; otherwise the kernel would
 * answer with a reset, which can overtake the answer. */
static void show_out(struct guest *guest)
{
    if (!guest->leftover && !guest->readable && !guest->refused && !guest->is_early) {
        guest_leave(guest);
        return;
    }
    guest_linger(guest);
}

void guest_linger(struct guest *guest)
{
    stream_end(&guest->stream, true);
    guest->state = GUEST_LINGERING;
    keep_rest(guest, (struct str){ "", 0 });
    timer_set(&guest->timer, &guest->lane->loop, clock_now_ns() + linger_ns);
    guest_drain(guest);
}

/* Answering */

void guest_log(struct guest *guest)
{
    guest->answers++;
    guest->lane->served++;
    hold_log_add(&guest->lane->log, &(struct hold_line){
                                        .arrival_ns = guest->arrival_ns,
                                        .hold_ns = guest->handed_ns - guest->arrival_ns,
                                        .method = str_of(guest->request.method),
                                        .path = buf_str(&guest->request.target),
                                        .status = guest->status,
                                        .body_bytes = guest->body_bytes,
                                        .connection = guest->number,
                                    });
    gate_leave(guest->lane->setup->gate, &guest->ticket);
}

static void shrink(struct buf *buf)
{
    size_t limit = buf->limit;

    if (buf->room > KEPT_BUF_BYTES) {
        buf_fini(buf);
        buf_init(buf, limit);
    }
    buf_reset(buf);
}

void guest_finish(struct guest *guest)
{
    if (guest->fault == NULL) {
        guest_log(guest);
    } else {
        guest_fault_end(guest);
    }
    shrink(&guest->unsent);
    shrink(&guest->body);
    guest->unsent_at = 0;
    if (guest->request.keep_alive && !guest->refused) {
        if (!guest->is_early) {
            h1_request_parse_begin(&guest->request);
        }
        guest->state = GUEST_READING;
    } else {
        show_out(guest);
    }
}

static void send_answer(struct guest *guest, struct str bytes)
{
    if (guest_send(guest, bytes)) {
        guest_finish(guest);
    }
}

enum answer_connection guest_connection(const struct guest *guest)
{
    if (!guest->request.keep_alive || guest->refused) {
        return ANSWER_CLOSE;
    }
    return guest->request.version_minor == 0 ? ANSWER_KEEP_1_0 : ANSWER_KEEP;
}

static int64_t body_bytes_of(const struct guest *guest)
{
    switch (guest->kind) {
    case RESOURCE_PAGE:
        return ANSWER_PAGE_BYTES;
    case RESOURCE_BYTES:
        return guest->bytes;
    case RESOURCE_ECHO:
    case RESOURCE_STATUS:
    case RESOURCE_FAULT:
        break;
    }
    return (int64_t)guest->body.len;
}

static void answer_page_now(struct guest *guest, bool with_body)
{
    send_answer(guest, answer_page(&guest->lane->pages, guest_connection(guest), with_body));
}

static void answer(struct guest *guest)
{
    struct buf *head = &guest->lane->head;
    bool with_body = !guest->request.is_head && answer_has_body(guest->status);
    int64_t body_bytes = body_bytes_of(guest);
    bool echoes = guest->kind == RESOURCE_ECHO && guest->status == 200;

    guest->body_bytes = with_body ? (uint64_t)body_bytes : 0;
    if (guest->kind == RESOURCE_PAGE) {
        answer_page_now(guest, with_body);
        return;
    }
    buf_reset(head);
    answer_head_add(
        &(struct answer_head){ .status = guest->status,
                               .content_type = echoes ? guest->request.content_type : NULL,
                               .body_bytes = body_bytes,
                               .connection = guest_connection(guest) },
        head);
    if (with_body && guest->kind == RESOURCE_BYTES) {
        guest->block_left = body_bytes;
    } else if (with_body) {
        buf_add_str(head, buf_str(&guest->body));
    }
    assert(!head->overflow);
    send_answer(guest, buf_str(head));
    shrink(head);
}

/* In work */

static void burn(int64_t cpu_ns)
{
    int64_t end_ns = clock_thread_cpu_ns() + cpu_ns;

    while (clock_thread_cpu_ns() < end_ns) {
    }
}

static void work(struct guest *guest, int64_t start_ns)
{
    int64_t cpu_ns = guest->lane->setup->config->cpu_ns;

    if (cpu_ns > 0) {
        burn(cpu_ns);
    }
    if (guest->fault != NULL) {
        guest_fault_begin(guest, start_ns);
    } else if (guest->delay_ns > 0) {
        guest->state = GUEST_HELD;
        timer_set(&guest->timer, &guest->lane->loop, start_ns + guest->delay_ns);
    } else {
        answer(guest);
    }
}

/* The request was read to its end. */
static void begin(struct guest *guest)
{
    struct gate *gate = guest->lane->setup->gate;

    guest->arrival_ns = guest->read_ns;
    if (!gate->limited) {
        work(guest, guest->arrival_ns);
    } else if (gate_enter(gate, &guest->ticket)) {
        work(guest, clock_now_ns());
    } else {
        guest->state = GUEST_IN_LINE;
    }
}

void guest_set_text(struct guest *guest, int status, const char *text)
{
    guest->kind = RESOURCE_STATUS;
    guest->status = status;
    buf_reset(&guest->body);
    buf_puts(&guest->body, text);
    buf_putc(&guest->body, '\n');
}

/* The head is known: what the request wants. */
static void look_up(struct guest *guest)
{
    struct resource resource;
    struct err err;
    int status;

    guest->delay_ns = 0;
    if (!resource_parse(buf_str(&guest->request.target), &resource, &status, &err)) {
        guest_set_text(guest, status, err.text);
        return;
    }
    if (resource.kind == RESOURCE_FAULT) {
        guest_fault_take(guest, resource.fault);
        return;
    }
    guest->kind = resource.kind;
    guest->status = resource.status;
    guest->bytes = resource.bytes;
    guest->delay_ns = delay_draw_ns(&resource.delay, &guest->lane->rng);
    if (resource.kind == RESOURCE_STATUS) {
        guest_set_text(guest, resource.status, answer_reason(resource.status));
    }
}

/* The body is awaited: says so to a client that asked. Nothing is lost when it cannot be sent: the
 * client goes on by itself after a while. */
static void invite(struct guest *guest)
{
    const struct h1_request_parse *request = &guest->request;
    size_t n;

    if (request->expects_continue && request->version_minor > 0 && !guest->is_early &&
        (request->chunked || request->length > 0)) {
        (void)stream_write(&guest->stream, STR("HTTP/1.1 100 Continue\r\n\r\n"), &n);
    }
}

static void take_body(struct guest *guest)
{
    if (guest->kind != RESOURCE_ECHO || guest->status != 200) {
        return;
    }
    buf_add_str(&guest->body, guest->request.piece);
    if (guest->body.overflow) {
        guest_set_text(guest, 413, "a body to be echoed has at most 1 MiB");
    }
}

static void refuse(struct guest *guest)
{
    enum h1_request_error error = guest->request.error;

    if (guest->fault != NULL) {
        guest_fault_end(guest);
    }
    guest->refused = true;
    guest->arrival_ns = guest->read_ns;
    guest_set_text(guest, h1_request_error_status(error), h1_request_error_text(error));
    answer(guest);
}

static void take_head(struct guest *guest, bool is_all_read)
{
    look_up(guest);
    if (is_all_read) {
        invite(guest);
    }
    if (guest->is_early) {
        begin(guest);
    }
}

/* What was answered before its end is read over. */
static void take_end(struct guest *guest)
{
    if (guest->is_early) {
        guest->is_early = false;
        h1_request_parse_begin(&guest->request);
    } else {
        begin(guest);
    }
}

/* Parses until the input is used up or a request keeps the guest busy. */
static void take_input(struct guest *guest, struct str in)
{
    enum request_event event = REQUEST_HEAD;
    size_t used;

    while (event != REQUEST_MORE && guest->state == GUEST_READING) {
        event = h1_request_parse(&guest->request, in, &used);
        in = str_from(in, used);
        guest->leftover = in.len > 0;
        switch (event) {
        case REQUEST_MORE:
            break;
        case REQUEST_HEAD:
            take_head(guest, in.len == 0);
            break;
        case REQUEST_BODY:
            take_body(guest);
            break;
        case REQUEST_DONE:
            take_end(guest);
            break;
        case REQUEST_ERROR:
            refuse(guest);
            break;
        }
    }
    if (guest->state != GUEST_GONE && guest->state != GUEST_LINGERING &&
        (in.len > 0 || guest->rest.len > 0)) {
        keep_rest(guest, in);
    }
}

/* Goes on reading until there is nothing to read or a request keeps it busy. */
static void go_on(struct guest *guest)
{
    struct str in;

    while (guest->state == GUEST_READING && guest_input(guest, &in)) {
        take_input(guest, in);
    }
}

void guest_admit(struct guest *guest)
{
    work(guest, clock_now_ns());
    go_on(guest);
}

void guest_resume(struct guest *guest)
{
    if (guest->state != GUEST_SENDING) {
        return;
    }
    if (guest->fault == NULL) {
        send_answer(guest, str_from(buf_str(&guest->unsent), guest->unsent_at));
    } else {
        guest_fault_resume(guest);
    }
    go_on(guest);
}

static void guest_due(struct timer *timer, struct loop *loop)
{
    struct guest *guest = (struct guest *)((char *)timer - offsetof(struct guest, timer));

    (void)loop;
    if (guest->state == GUEST_HELD && guest->fault != NULL) {
        guest_fault_go_on(guest);
        go_on(guest);
    } else if (guest->state == GUEST_HELD) {
        answer(guest);
        go_on(guest);
    } else if (guest->state == GUEST_LINGERING) {
        guest_leave(guest);
    }
}

static void guest_ready(struct watch *watch, struct loop *loop, uint32_t ready)
{
    struct guest *guest = (struct guest *)((char *)watch - offsetof(struct guest, watch));

    (void)loop;
    if ((ready & (READY_ERROR | READY_HANGUP)) != 0) {
        guest_leave(guest);
        return;
    }
    if ((ready & (READY_READ | READY_PEER_CLOSED)) != 0) {
        guest->readable = true;
        guest->peer_closed |= (ready & READY_PEER_CLOSED) != 0;
    }
    switch (guest->state) {
    case GUEST_SHAKING:
        guest_tls_shake(guest);
        go_on(guest);
        break;
    case GUEST_READING:
        go_on(guest);
        break;
    case GUEST_SENDING:
        if (guest_send_may(guest, ready) && !guest->is_eager) {
            guest_resume(guest);
        }
        break;
    case GUEST_LINGERING:
    case GUEST_SILENT:
        guest_drain(guest);
        break;
    case GUEST_DEAF:
        if ((ready & READY_PEER_CLOSED) != 0) {
            guest_leave(guest);
        }
        break;
    case GUEST_GONE:
    case GUEST_IN_LINE:
    case GUEST_HELD:
        break;
    }
}

/* Memory of one that left, or new. */
static struct guest *guest_take(struct lane *lane)
{
    struct guest *guest = lane->idle;

    if (guest != NULL) {
        struct h1_request_parse kept = guest->request;

        lane->idle = guest->next;
        *guest = (struct guest){ .request = kept };
        h1_request_parse_begin(&guest->request);
        return guest;
    }
    guest = mem_new(1, sizeof(*guest));
    h1_request_parse_init(&guest->request);
    return guest;
}

bool guest_welcome(struct lane *lane, int fd)
{
    struct guest *guest = guest_take(lane);

    stream_of_socket(&guest->stream, fd, lane->setup->tcp, lane_logs(lane));
    guest->lane = lane;
    guest->state = GUEST_READING;
    guest->watch.ready = guest_ready;
    guest->ticket.inbox = &lane->inbox;
    guest->number =
        atomic_fetch_add_explicit(lane->setup->connections, 1, memory_order_relaxed) + 1;
    timer_init(&guest->timer, guest_due);
    buf_init(&guest->rest, LANE_INPUT_BYTES);
    buf_init(&guest->body, GUEST_ECHO_BYTES_MAX);
    buf_init(&guest->unsent, GUEST_ECHO_BYTES_MAX + ANSWER_HEAD_MAX);
    guest->next = lane->all;
    if (lane->all != NULL) {
        lane->all->previous = guest;
    }
    lane->all = guest;
    if (lane->setup->config->tls.on) {
        guest_tls_welcome(guest);
    }
    if (!loop_watch(&lane->loop, fd, &guest->watch)) {
        guest_leave(guest);
        return false;
    }
    return true;
}
