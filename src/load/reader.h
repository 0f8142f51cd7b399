/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a user's answer off its connection: as much as is there, into the worker's buffer or, of
 * large bodies that nobody looks at, nowhere; the session says what it was worth.
 */
#ifndef LOAD_READER_H
#define LOAD_READER_H

#include <stdint.h>

struct vuser;

enum { READER_LARGE_BYTES = 16 << 10 }; /* from here on a body is discarded in the kernel */

/* Reads until the socket is empty or the user's exchange has ended, which the user is told by
 * vuser_complete(), vuser_fail() or vuser_stream_failed(). ready: what the loop said. */
void reader_read(struct vuser *vuser, uint32_t ready);

#endif
