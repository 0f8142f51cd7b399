/* SPDX-License-Identifier: Apache-2.0 */
#include "load/stamps.h"

#include "load/worker.h"

void stamps_take(struct vuser *vuser, const struct stream_read *read, int64_t now_ns)
{
    struct exchange *exchange = &vuser->exchange;
    struct worker *worker = vuser->worker;
    int64_t at_ns = now_ns;

    exchange->dwell_ns = -1;
    if (read->stamp_real_ns != 0) {
        int64_t stamp_ns = worker_stamp_ns(worker, read->stamp_real_ns, now_ns);

        if (stamp_ns != 0) {
            exchange->dwell_ns = now_ns > stamp_ns ? now_ns - stamp_ns : 0;
            if (worker->order->stamped) {
                at_ns = stamp_ns;
            }
        }
    }
    exchange->bytes_in += read->n;
    exchange->done_ns = at_ns;
    if (exchange->first_byte_ns == 0) {
        exchange->first_byte_ns = at_ns;
    }
}

void stamps_order(struct exchange *exchange)
{
    if (exchange->done_ns < exchange->start_ns) {
        exchange->done_ns = exchange->start_ns;
    }
    if (exchange->sent_ns == 0) {
        exchange->sent_ns =
            exchange->first_byte_ns; /* answered before the request was sent whole */
    }
    if (exchange->first_byte_ns < exchange->sent_ns) {
        exchange->first_byte_ns = exchange->sent_ns;
    }
    if (exchange->done_ns < exchange->first_byte_ns) {
        exchange->first_byte_ns = exchange->done_ns;
        exchange->sent_ns =
            exchange->sent_ns < exchange->done_ns ? exchange->sent_ns : exchange->done_ns;
    }
}
