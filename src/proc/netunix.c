/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/netunix.h"

#include "proc/words.h"

/* __SO_ACCEPTCON of the kernel's flags. */
enum { FLAG_LISTENING = 0x10000 };

bool netunix_parse(struct str line, struct netunix *ret_socket)
{
    struct netunix socket = { 0 };
    struct str word;
    uint64_t flags;

    /* address, references, protocol; then flags, type, state, inode, path */
    if (!words_skip_next(&line, 3, &word) || !words_hex(word, &flags) ||
        !words_skip_next(&line, 2, &word) || !str_u64(word, &socket.inode)) {
        return false;
    }
    socket.listening = (flags & FLAG_LISTENING) != 0;
    /* one blank; the path may hold more of them */
    socket.path = str_from(line, line.len > 0 && line.p[0] == ' ' ? 1 : 0);
    if (socket.path.len > 0 && socket.path.p[socket.path.len - 1] == '\n') {
        socket.path.len--;
    }
    *ret_socket = socket;
    return true;
}
