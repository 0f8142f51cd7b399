/* SPDX-License-Identifier: Apache-2.0 */
#include "target/fault.h"

#include <assert.h>

#include "base/unit.h"
#include "target/fault_auth.h"

enum { READY_BYTES = 16 << 10, READY_BYTES_MAX = 64 << 10, NAME_SHOWN_MAX = 60 };

enum form { FORM_COUNT, FORM_BYTES, FORM_DURATION, FORM_TEXT };

static const struct {
    const char *word;
    enum form form;
    int64_t min, max;
} params[] = {
#define FAULT_PARAM_ROW(name, word, form, min, max) { word, FORM_##form, min, max },
    FAULT_PARAM_LIST(FAULT_PARAM_ROW)
#undef FAULT_PARAM_ROW
};

/* Parameters */

static struct str shown(struct str text)
{
    return (struct str){ text.p, text.len < NAME_SHOWN_MAX ? text.len : NAME_SHOWN_MAX };
}

static bool parse_number(enum form form, struct str text, int64_t *ret_value, struct err *err)
{
    switch (form) {
    case FORM_COUNT:
        return unit_parse_count(text, ret_value, err);
    case FORM_BYTES:
        return unit_parse_bytes(text, ret_value, err);
    case FORM_DURATION:
        return unit_parse_duration(text, ret_value, err);
    case FORM_TEXT:
        break;
    }
    return true;
}

static bool set_param(struct fault *fault, size_t param, struct str text, struct err *err)
{
    int64_t value = 0;

    if (params[param].form == FORM_TEXT) {
        fault->texts[param] = text;
        return true;
    }
    if (!parse_number(params[param].form, text, &value, err)) {
        return false;
    }
    if (value < params[param].min || value > params[param].max) {
        return err_set(err, ERR_USAGE, "%s=%.*s is not in its range", params[param].word,
                       STR_ARG(shown(text)));
    }
    fault->numbers[param] = value;
    return true;
}

/* The row takes what its defaults name. */
static bool takes(const struct fault_row *row, struct str word)
{
    struct str rest = str_of(row->params), pair, name;

    while (str_cut(&rest, '&', &pair)) {
        (void)str_cut(&pair, '=', &name);
        if (name.len > 0 && str_eq(name, word)) {
            return true;
        }
    }
    return false;
}

static bool parse_query(struct fault *fault, struct str query, struct err *err)
{
    struct str value, name;

    while (query.len > 0 && str_cut(&query, '&', &value)) {
        size_t param = 0;

        (void)str_cut(&value, '=', &name);
        while (param < COUNT_OF(params) && !str_eq(name, str_of(params[param].word))) {
            param++;
        }
        if (param == COUNT_OF(params) || value.p == NULL || !takes(fault->row, name)) {
            return err_set(err, ERR_USAGE, "'%.*s' is not what it takes, which is: /fault/%s%s%s",
                           STR_ARG(shown(name)), fault->row->name,
                           fault->row->params[0] != '\0' ? "?" : "", fault->row->params);
        }
        if (!set_param(fault, param, value, err)) {
            return false;
        }
    }
    return true;
}

bool fault_parse(struct str text, struct fault *fault, int *ret_status, struct err *err)
{
    struct str query = text, name;
    bool ok;

    (void)str_cut(&query, '?', &name);
    *fault = (struct fault){ .row = fault_table_find(name) };
    if (fault->row == NULL) {
        *ret_status = 404;
        return err_set(err, ERR_USAGE,
                       "there is no fault '%.*s', there are:", STR_ARG(shown(name)));
    }
    ok = parse_query(fault, str_of(fault->row->params), err);
    assert(ok);
    if (!parse_query(fault, query, err)) {
        *ret_status = 400;
        return false;
    }
    return true;
}

void fault_list(struct buf *out)
{
    for (size_t i = 0; i < fault_table_count; i++) {
        const struct fault_row *row = &fault_table[i];

        buf_printf(out, "/fault/%s%s%s\n    %s\n", row->name, row->params[0] != '\0' ? "?" : "",
                   row->params, row->help);
    }
}

/* The walk */

static int64_t number_of(const struct fault *fault, const struct fault_step *step)
{
    const int64_t *numbers = fault->numbers;

    switch (step->number) {
#define FAULT_PARAM_CASE(name, word, form, min, max) case FAULT_##name:
        FAULT_PARAM_LIST(FAULT_PARAM_CASE)
#undef FAULT_PARAM_CASE
        return numbers[step->number];
    case FAULT_HALF:
        return numbers[FAULT_BYTES] / 2;
    case FAULT_LINES:
        return (numbers[FAULT_BYTES] + FAULT_LINE_BYTES - 1) / FAULT_LINE_BYTES;
    case FAULT_VARIED:
        return numbers[FAULT_BYTES] + (int64_t)(fault->scene.serial - 1) % (numbers[FAULT_N] + 1);
    case FAULT_ROUND:
        return fault->loop_round;
    case FAULT_NEXT:
        return numbers[FAULT_AT] < numbers[FAULT_N] ? numbers[FAULT_AT] + 1 : 1;
    case FAULT_EVER:
        return INT64_MAX;
    case FAULT_GIVEN:
        break;
    }
    return step->given;
}

/* A head is answered by a head alone. */
static bool is_mute(const struct fault *fault)
{
    return fault->in_body && fault->scene.is_head;
}

static void begin_head(struct fault *fault, int64_t status)
{
    fault->status = (int)status;
    fault->in_body = false;
    fault->body_bytes = 0;
}

/*
 * One function an op. Each adds its bytes to what is ready; FAULT_GO_ON: on to the step that
 * fault->at stands at, which is the one behind already.
 */

static enum fault_move do_text(struct fault *fault, const struct fault_step *step)
{
    if (step->given != 0) {
        begin_head(fault, step->given);
    }
    buf_add_str(&fault->ready, step->text);
    return FAULT_GO_ON;
}

static enum fault_move do_number(struct fault *fault, const struct fault_step *step)
{
    buf_printf(&fault->ready, "%lld", (long long)number_of(fault, step));
    return FAULT_GO_ON;
}

static enum fault_move do_head(struct fault *fault, const struct fault_step *step)
{
    static const char *const connections[] = {
        [ANSWER_KEEP] = "",
        [ANSWER_KEEP_1_0] = "connection: keep-alive\r\n",
        [ANSWER_CLOSE] = "connection: close\r\n",
    };

    begin_head(fault, number_of(fault, step));
    buf_printf(&fault->ready, "HTTP/1.1 %d %s\r\nserver: brunt\r\n%s", fault->status,
               answer_reason(fault->status), connections[fault->scene.connection]);
    return FAULT_GO_ON;
}

static enum fault_move do_body(struct fault *fault, const struct fault_step *step)
{
    (void)step;
    buf_puts(&fault->ready, "\r\n");
    fault->in_body = true;
    return FAULT_GO_ON;
}

/* As much as there is room for; then the step is met again. */
static enum fault_move fill(struct fault *fault, const struct fault_step *step, bool pattern)
{
    int64_t whole = number_of(fault, step);

    if (is_mute(fault)) {
        return FAULT_GO_ON;
    }
    for (; fault->filled < whole; fault->filled++) {
        int column = (int)(fault->filled % 64);

        if (fault->ready.len >= READY_BYTES) {
            fault->at = step;
            return FAULT_GO_ON;
        }
        buf_putc(&fault->ready, !pattern ? 'x' : column == 63 ? '\n' : (char)('0' + column));
    }
    fault->filled = 0;
    return FAULT_GO_ON;
}

static enum fault_move do_fill(struct fault *fault, const struct fault_step *step)
{
    return fill(fault, step, true);
}

static enum fault_move do_pad(struct fault *fault, const struct fault_step *step)
{
    return fill(fault, step, false);
}

static enum fault_move do_page(struct fault *fault, const struct fault_step *step)
{
    enum answer_connection connection = step->given != 0 ? ANSWER_CLOSE : fault->scene.connection;

    begin_head(fault, 200);
    buf_add_str(&fault->ready, answer_page(fault->scene.pages, connection, !fault->scene.is_head));
    fault->body_bytes = fault->scene.is_head ? 0 : ANSWER_PAGE_BYTES;
    return FAULT_GO_ON;
}

static enum fault_move do_self(struct fault *fault, const struct fault_step *step)
{
    (void)step;
    buf_add_str(&fault->ready, fault->scene.target);
    return FAULT_GO_ON;
}

/* The next of a chain with the place as it came, the last with the place itself. */
static enum fault_move do_to(struct fault *fault, const struct fault_step *step)
{
    struct str to = fault->texts[FAULT_TO];

    (void)step;
    if (fault->numbers[FAULT_N] > 1) {
        buf_printf(&fault->ready, "/fault/%s?n=%lld&status=%lld&to=%.*s", fault->row->name,
                   (long long)fault->numbers[FAULT_N] - 1, (long long)fault->numbers[FAULT_STATUS],
                   STR_ARG(to));
    } else {
        fault_auth_decode(to, &fault->ready);
    }
    return FAULT_GO_ON;
}

static enum fault_move do_digest(struct fault *fault, const struct fault_step *step)
{
    (void)step;
    fault_auth_challenge(fault->texts[FAULT_ALGORITHM], &fault->ready);
    return FAULT_GO_ON;
}

static const struct fault_step *behind_loop(const struct fault_step *step)
{
    while (step->op != FAULT_OP_LOOP) {
        step++;
    }
    return step + 1;
}

static enum fault_move do_times(struct fault *fault, const struct fault_step *step)
{
    fault->loop = fault->at;
    fault->loop_round = 0;
    fault->loop_count = number_of(fault, step);
    if (fault->loop_count == 0 || is_mute(fault)) {
        fault->at = behind_loop(step);
    }
    return FAULT_GO_ON;
}

static enum fault_move do_loop(struct fault *fault, const struct fault_step *step)
{
    (void)step;
    if (++fault->loop_round < fault->loop_count) {
        fault->at = fault->loop;
    }
    return FAULT_GO_ON;
}

static enum fault_move do_drip(struct fault *fault, const struct fault_step *step)
{
    (void)step;
    fault->drips = true;
    fault->drip_from = fault->ready.len;
    return FAULT_GO_ON;
}

/* Ends of the script stand still: asked again, they say the same. */
static enum fault_move do_move(struct fault *fault, const struct fault_step *step)
{
    static const enum fault_move moves[FAULT_OP_COUNT] = {
        [FAULT_OP_FIN] = FAULT_FIN,       [FAULT_OP_HALF_CLOSE] = FAULT_HALF_CLOSE,
        [FAULT_OP_RESET] = FAULT_RESET,   [FAULT_OP_ABRUPT] = FAULT_ABRUPT,
        [FAULT_OP_SILENT] = FAULT_SILENT, [FAULT_OP_DEAF] = FAULT_DEAF,
        [FAULT_OP_DONE] = FAULT_DONE,
    };

    fault->at = step;
    return moves[step->op];
}

static enum fault_move do_pause(struct fault *fault, const struct fault_step *step)
{
    (void)step;
    return fault->numbers[FAULT_DELAY] > 0 ? FAULT_WAIT : FAULT_GO_ON;
}

static enum fault_move do_renew(struct fault *fault, const struct fault_step *step)
{
    (void)fault;
    (void)step;
    return FAULT_RENEW;
}

static enum fault_move (*const ops[FAULT_OP_COUNT])(struct fault *fault,
                                                    const struct fault_step *step) = {
    [FAULT_OP_TEXT] = do_text,     [FAULT_OP_NUMBER] = do_number, [FAULT_OP_HEAD] = do_head,
    [FAULT_OP_BODY] = do_body,     [FAULT_OP_FILL] = do_fill,     [FAULT_OP_PAD] = do_pad,
    [FAULT_OP_PAGE] = do_page,     [FAULT_OP_SELF] = do_self,     [FAULT_OP_TO] = do_to,
    [FAULT_OP_TIMES] = do_times,   [FAULT_OP_LOOP] = do_loop,     [FAULT_OP_DRIP] = do_drip,
    [FAULT_OP_PAUSE] = do_pause,   [FAULT_OP_FIN] = do_move,      [FAULT_OP_HALF_CLOSE] = do_move,
    [FAULT_OP_RESET] = do_move,    [FAULT_OP_ABRUPT] = do_move,   [FAULT_OP_RENEW] = do_renew,
    [FAULT_OP_DIGEST] = do_digest, [FAULT_OP_SILENT] = do_move,   [FAULT_OP_DEAF] = do_move,
    [FAULT_OP_DONE] = do_move,
};

static const struct fault_step page_steps[] = {
    { .op = FAULT_OP_PAGE },
    { .op = FAULT_OP_DONE },
};

static bool is_known(const struct fault *fault)
{
    const struct fault_auth auth = {
        .method = fault->scene.method,
        .target = fault->scene.target,
        .user = fault->texts[FAULT_USER],
        .password = fault->texts[FAULT_PASS],
        .algorithm = fault->texts[FAULT_ALGORITHM],
    };

    return fault->row->turn == FAULT_TURN_BASIC
               ? fault_auth_basic(&auth, fault->scene.authorization)
               : fault_auth_digest(&auth, fault->scene.authorization);
}

static bool is_its_turn(const struct fault *fault)
{
    const struct fault_scene *scene = &fault->scene;

    switch (fault->row->turn) {
    case FAULT_TURN_EACH:
        break;
    case FAULT_TURN_AFTER:
        return scene->answer >= (uint64_t)fault->numbers[FAULT_AFTER];
    case FAULT_TURN_EVERY:
        return scene->serial % (uint64_t)fault->numbers[FAULT_EVERY] == 0;
    case FAULT_TURN_BUSY:
        return scene->in_work > fault->numbers[FAULT_N];
    case FAULT_TURN_BASIC:
    case FAULT_TURN_DIGEST:
        return !is_known(fault);
    }
    return true;
}

void fault_begin(struct fault *fault, const struct fault_scene *scene)
{
    const struct fault_row *row = fault->row;

    fault->scene = *scene;
    buf_init(&fault->ready, READY_BYTES_MAX);
    if (is_its_turn(fault)) {
        fault->at = row->steps;
    } else {
        fault->at = row->otherwise != NULL ? row->otherwise : page_steps;
    }
}

/* Walks until enough is ready, or a move is to be made. */
static enum fault_move walk(struct fault *fault)
{
    enum fault_move move = FAULT_GO_ON;

    while (move == FAULT_GO_ON && fault->ready.len < READY_BYTES) {
        const struct fault_step *step = fault->at++;
        size_t before = fault->ready.len;
        bool was_in_body = fault->in_body;

        move = ops[step->op](fault, step);
        if (was_in_body && fault->in_body && fault->scene.is_head) {
            fault->ready.len = before;
        } else if (was_in_body && fault->in_body) {
            fault->body_bytes += fault->ready.len - before;
        }
    }
    assert(!fault->ready.overflow);
    return move;
}

/* A piece of what is ready; each but the first after a rest. */
static enum fault_move drip(struct fault *fault, struct str left, struct str *ret_bytes)
{
    size_t piece = (size_t)fault->numbers[FAULT_PIECE];

    if (fault->ready_at < fault->drip_from) {
        *ret_bytes = (struct str){ left.p, fault->drip_from - fault->ready_at };
        fault->ready_at = fault->drip_from;
        return FAULT_GO_ON;
    }
    if (fault->dripped && !fault->rested && fault->numbers[FAULT_DELAY] > 0) {
        fault->rested = true;
        return FAULT_WAIT;
    }
    fault->dripped = true;
    fault->rested = false;
    *ret_bytes = (struct str){ left.p, piece < left.len ? piece : left.len };
    fault->ready_at += ret_bytes->len;
    return FAULT_GO_ON;
}

enum fault_move fault_next(struct fault *fault, struct str *ret_bytes)
{
    struct str left = str_from(buf_str(&fault->ready), fault->ready_at);
    enum fault_move move;

    *ret_bytes = (struct str){ "", 0 };
    if (left.len == 0 && fault->move == FAULT_GO_ON) {
        buf_reset(&fault->ready);
        fault->ready_at = fault->drip_from = 0;
        fault->move = walk(fault);
        left = buf_str(&fault->ready);
    }
    if (fault->drips && left.len > 0) {
        return drip(fault, left, ret_bytes);
    }
    *ret_bytes = left;
    fault->ready_at += left.len;
    move = fault->move;
    fault->move = FAULT_GO_ON;
    return move;
}

void fault_fini(struct fault *fault)
{
    buf_fini(&fault->ready);
}
