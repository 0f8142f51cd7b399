/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A load as ab 2.3 reports it: what it counts, a record of each request, and its four outputs:
 * text, HTML, a line a request for gnuplot, percentiles as CSV. Pure: no clock, no I/O.
 *
 * Life cycle: ab_init(), the first group of fields by the owner, ab_take() for each row in the
 * order in which requests ended, ab_end(), then the outputs, ab_fini(). Texts are borrowed.
 *
 * ab counts a request in one of four kinds of failure. Here each failure of base/fail.h belongs to
 * one of them: "Connect" is a connection that could not be made, TLS included; "Receive" one that
 * was reset; "Length" an answer whose body has another length than the first, or that the server
 * cut short by closing; "Exceptions" the rest, time-outs and what is not HTTP. Its times are whole
 * microseconds, and so are these.
 */
#ifndef REPORT_AB_H
#define REPORT_AB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "load/rows.h"

/* One request. total holds connect; the rest of it is what ab calls processing. */
struct ab_record {
    int64_t start_real_us; /* CLOCK_REALTIME */
    int64_t connect_us; /* from the start until the request was begun to be sent; 0: kept alive */
    int64_t wait_us;    /* from the request sent to the first byte of the answer */
    int64_t total_us;
};

struct ab {
    /* by the owner, before the outputs */
    const char *server; /* as its header says */
    const char *host, *path;
    uint16_t port;
    const char *tls_protocol, *tls_key, *tls_name; /* lines of ab's about TLS; NULL: not shown */
    int64_t concurrency;
    double taken_s;
    uint64_t bytes_in, bytes_out; /* with heads */
    bool keep_alive, has_body;    /* what the requests were */
    bool variable;                /* bodies may differ in length */
    bool percentiles, deviations; /* to show the table of percentiles, deviations and medians */
    const char *table, *tr, *td;  /* attributes for HTML */
    int64_t real_offset_ns;       /* CLOCK_REALTIME - CLOCK_MONOTONIC, before the first row */

    /* by ab_take() */
    uint64_t done, failed;
    uint64_t by_connect, by_receive, by_length, by_exception; /* their sum is failed */
    uint64_t write_errors;                                    /* of those: while it was sent */
    uint64_t non_2xx, kept_alive, body_in;
    bool length_known;
    uint64_t length; /* of the body of the first answer */

    struct ab_record *records; /* owned, `done` of them; by total_us after ab_end() */
    size_t room, limit;
};

/* No more than limit rows will be taken. */
void ab_init(struct ab *ab, uint64_t limit);
void ab_fini(struct ab *ab); /* accepts a zeroed one */

void ab_take(struct ab *ab, const struct row *row);
/* All rows are taken: sorts the records. */
void ab_end(struct ab *ab);

/* What is left of one of its times once there are many: in whole microseconds, but for sd. */
struct ab_spread {
    int64_t min, mean, median, max;
    double sd; /* of the sample */
};

enum ab_time { AB_CONNECT, AB_PROCESSING, AB_WAITING, AB_TOTAL, AB_TIME_COUNT };

/* Of at least one record. */
void ab_spread(const struct ab *ab, enum ab_time time, struct ab_spread *ret_spread);

/* As ab rounds: halves up. */
static inline int64_t ab_ms(int64_t us)
{
    return (us + 500) / 1000;
}

/* From "Server Software:" on, two empty lines before it. */
void ab_text(const struct ab *ab, struct buf *buf);
/* The table, two empty lines before it. */
void ab_html(const struct ab *ab, struct buf *buf);
/* -g: a line a request, by total time. */
void ab_gnuplot(const struct ab *ab, struct buf *buf);
/* -e: the time within which each percent from 0 to 100 of the requests were served. */
void ab_csv(const struct ab *ab, struct buf *buf);

#endif
