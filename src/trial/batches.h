/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measured time of a trial in up to INTERVAL_BATCHES_MAX stretches of equal length, each with
 * its response times: what the intervals of stats/interval.h are made from. What completed in the
 * drain was asked for in the measured time and belongs to its last stretch.
 *
 * Some 67 KB a stretch: made after the trial, and given back.
 */
#ifndef TRIAL_BATCHES_H
#define TRIAL_BATCHES_H

#include <stddef.h>
#include <stdint.h>

#include "result/result.h"
#include "stats/interval.h"
#include "stats/sparse.h"

struct batches {
    struct hist *items;     /* owned */
    size_t count;           /* of items */
    size_t points, added;   /* measured ones: announced; had so far */
    int64_t from_ns, to_ns; /* of the measured time, on the clock of the points */
};

/* The series that will be added. No measured point: no batches, and no interval later. */
void batches_init(struct batches *batches, const struct point *series, size_t count);
void batches_fini(struct batches *batches);

/* A point of that series, in its order, with its response times. */
void batches_add(struct batches *batches, const struct point *point, const struct sparse *response);

/* response: all times of the measured requests. Fills QUANTILES_COUNT entries. */
void batches_judge(const struct batches *batches, const struct hist *response,
                   struct confidence *confidence);

#endif
