/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ab.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/mem.h"

enum { RECORDS_FIRST = 1024 };

/* ab's kinds. */
enum kind { KIND_NONE, KIND_CONNECT, KIND_RECEIVE, KIND_LENGTH, KIND_EXCEPTION };

static const enum kind kinds[FAIL_COUNT + 1] = {
    [FAIL_DNS] = KIND_CONNECT,
    [FAIL_CONNECT_REFUSED] = KIND_CONNECT,
    [FAIL_CONNECT_TIMEOUT] = KIND_CONNECT,
    [FAIL_CONNECT_OTHER] = KIND_CONNECT,
    [FAIL_NO_PORT] = KIND_CONNECT,
    [FAIL_NO_DESCRIPTOR] = KIND_CONNECT,
    [FAIL_TLS] = KIND_CONNECT,
    [FAIL_STALE_CONNECTION] = KIND_RECEIVE,
    [FAIL_RESET] = KIND_RECEIVE,
    [FAIL_CLOSED_EARLY] = KIND_LENGTH,
    [FAIL_TRUNCATED] = KIND_LENGTH,
    [FAIL_PROTOCOL] = KIND_EXCEPTION,
    [FAIL_TIMEOUT_SEND] = KIND_EXCEPTION,
    [FAIL_TIMEOUT_FIRST_BYTE] = KIND_EXCEPTION,
    [FAIL_TIMEOUT_BODY] = KIND_EXCEPTION,
    [FAIL_STATUS] = KIND_NONE, /* a complete answer: ab calls no status a failure */
    [FAIL_CHECK] = KIND_EXCEPTION,
    [FAIL_REDIRECT] = KIND_EXCEPTION,
    [FAIL_CANCELLED] = KIND_EXCEPTION,
    [FAIL_NONE] = KIND_NONE,
};

void ab_init(struct ab *ab, uint64_t limit)
{
    *ab = (struct ab){ .limit = (size_t)limit };
}

void ab_fini(struct ab *ab)
{
    mem_free(ab->records);
    ab->records = NULL;
}

static void count_kind(struct ab *ab, enum kind kind)
{
    ab->failed += kind != KIND_NONE;
    switch (kind) {
    case KIND_NONE:
        return;
    case KIND_CONNECT:
        ab->by_connect++;
        return;
    case KIND_RECEIVE:
        ab->by_receive++;
        return;
    case KIND_LENGTH:
        ab->by_length++;
        return;
    case KIND_EXCEPTION:
        ab->by_exception++;
        return;
    }
}

/* An answer that is complete fails only when its body is longer or shorter than the first. */
static enum kind judge(struct ab *ab, const struct row *row)
{
    enum kind kind = kinds[row->fail];

    if (kind != KIND_NONE) {
        return kind;
    }
    if (!ab->length_known) {
        ab->length_known = true;
        ab->length = row->body_bytes;
    }
    return ab->variable || row->body_bytes == ab->length ? KIND_NONE : KIND_LENGTH;
}

static int64_t between_us(int64_t from_ns, int64_t to_ns)
{
    return from_ns >= 0 && to_ns > from_ns ? (to_ns - from_ns) / USEC_NS : 0;
}

static void add_record(struct ab *ab, const struct row *row)
{
    struct ab_record *record;

    if (ab->done == ab->room) {
        ab->room = ab->room == 0 ? RECORDS_FIRST : 2 * ab->room;
        ab->room = ab->room > ab->limit ? ab->limit : ab->room;
        ab->records = mem_resize(ab->records, ab->room, sizeof(*ab->records));
    }
    assert(ab->done < ab->room);
    record = &ab->records[ab->done++];
    *record = (struct ab_record){
        .start_real_us = (row->start_ns + ab->real_offset_ns) / USEC_NS,
        .connect_us = between_us(0, row->send_ns),
        .wait_us = between_us(row->sent_ns, row->first_byte_ns),
        .total_us = between_us(0, row->response_ns),
    };
    if (record->connect_us > record->total_us) {
        record->connect_us = record->total_us;
    }
}

void ab_take(struct ab *ab, const struct row *row)
{
    count_kind(ab, judge(ab, row));
    ab->write_errors += row->fail == FAIL_RESET && row->send_ns >= 0 && row->sent_ns < 0;
    ab->non_2xx += row->status != 0 && row->status / 100 != 2;
    ab->kept_alive += kinds[row->fail] == KIND_NONE && row->kept_alive;
    ab->body_in += row->body_bytes;
    add_record(ab, row);
}

static int by_total(const void *a, const void *b)
{
    const struct ab_record *x = a, *y = b;

    return (x->total_us > y->total_us) - (x->total_us < y->total_us);
}

void ab_end(struct ab *ab)
{
    if (ab->done > 0) {
        qsort(ab->records, ab->done, sizeof(*ab->records), by_total);
    }
}

static int64_t time_of(const struct ab_record *record, enum ab_time time)
{
    switch (time) {
    case AB_CONNECT:
        return record->connect_us;
    case AB_PROCESSING:
        return record->total_us - record->connect_us;
    case AB_WAITING:
        return record->wait_us;
    case AB_TOTAL:
    case AB_TIME_COUNT:
        break;
    }
    return record->total_us;
}

static int by_value(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

void ab_spread(const struct ab *ab, enum ab_time time, struct ab_spread *ret_spread)
{
    size_t count = ab->done;
    int64_t *values = mem_new(count, sizeof(*values));
    double sum = 0, squares = 0, mean;

    assert(count > 0);
    for (size_t i = 0; i < count; i++) {
        values[i] = time_of(&ab->records[i], time);
        sum += (double)values[i];
    }
    mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        squares += ((double)values[i] - mean) * ((double)values[i] - mean);
    }
    qsort(values, count, sizeof(*values), by_value);
    *ret_spread = (struct ab_spread){
        .min = values[0],
        .mean = (int64_t)mean,
        .median = (values[(count - 1) / 2] + values[count / 2]) / 2,
        .max = values[count - 1],
        .sd = count > 1 ? sqrt(squares / (double)(count - 1)) : 0,
    };
    mem_free(values);
}
