/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the TLS library has its memory from.
 *
 * Its buffers for records are all of one size, come and go with every request, and lie between what
 * stays with a connection: from a common heap they leave holes that nothing else fits in, and 1,000
 * connections take half as much again as they hold. So each thread keeps a stack of free blocks of
 * that size, of one reserved piece of address space; everything else is malloc's. A block is
 * touched only as far as it is written, and the one freed last is used first.
 *
 * Blocks are never given back to the system: as many stay as were in use at once, and those that a
 * thread had free when it ended.
 */
#ifndef NET_TLS_MEMORY_H
#define NET_TLS_MEMORY_H

/* Before the library's first allocation; later calls, and one that comes too late, change nothing.
 */
void tls_memory_init(void);

#endif
