/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "target/guest.h"

enum io guest_receive(struct guest *guest, struct str *ret_in)
{
    struct lane *lane = guest->lane;
    struct stream_read read =
        stream_read(&guest->stream, STREAM_COPY, lane->input, LANE_INPUT_BYTES);

    if (read.io == IO_DONE) {
        int64_t now_ns = clock_now_ns();

        guest->read_ns =
            read.stamp_real_ns != 0 ? lane_convert_stamp(lane, read.stamp_real_ns, now_ns) : now_ns;
        /* Drained: the next bytes, or the end, come with an event. */
        guest->readable = !read.drained || guest->peer_closed;
        *ret_in = (struct str){ lane->input, read.n };
    }
    return read.io;
}
