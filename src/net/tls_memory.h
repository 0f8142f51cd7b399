/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the TLS library has its memory from.
 *
 * A handshake allocates and frees some thousand pieces, most of them small, and leaves a few with
 * the connection; buffers for records, all of one size, come and go with every request and lie
 * between what stays. From a common heap that costs a tenth of a handshake, and holes that nothing
 * else fits in: 1,000 connections take half as much again as they hold. So each thread keeps stacks
 * of free pieces, one for each size, of one reserved piece of address space; what is of no such
 * size is malloc's. Memory is touched only as far as it is used, and what was freed last is used
 * first.
 *
 * Nothing is given back to the system: as much stays as was in use at once. What a thread had free
 * when it ended goes to the others.
 */
#ifndef NET_TLS_MEMORY_H
#define NET_TLS_MEMORY_H

/* Before the library's first allocation; later calls, and one that comes too late, change nothing.
 */
void tls_memory_init(void);

#endif
