/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/nettcp.h"

#include "proc/words.h"

enum { WORD_DIGITS = 8 };

/* "0100007F:1F90": the address in words of 32 bits of this machine's byte order. */
static bool parse_end(struct str text, uint8_t *address, unsigned *ret_bytes, uint16_t *ret_port)
{
    size_t colon = str_find(text, ':');
    uint64_t value;

    if (colon != WORD_DIGITS && colon != (size_t)4 * WORD_DIGITS) {
        return false;
    }
    for (size_t at = 0; at < colon; at += WORD_DIGITS) {
        uint32_t word;

        if (!words_hex((struct str){ text.p + at, WORD_DIGITS }, &value)) {
            return false;
        }
        word = (uint32_t)value;
        memcpy(address + at / 2, &word, sizeof(word));
    }
    if (!words_hex(str_from(text, colon + 1), &value) || value > UINT16_MAX) {
        return false;
    }
    *ret_bytes = (unsigned)(colon / 2);
    *ret_port = (uint16_t)value;
    return true;
}

bool nettcp_parse(struct str line, struct nettcp *ret_socket)
{
    struct nettcp socket = { 0 };
    unsigned remote_bytes;
    struct str word;
    uint64_t state;

    if (!words_skip_next(&line, 1, &word) ||
        !parse_end(word, socket.local, &socket.address_bytes, &socket.local_port)) {
        return false;
    }
    if (!words_next(&line, &word) ||
        !parse_end(word, socket.remote, &remote_bytes, &socket.remote_port) ||
        remote_bytes != socket.address_bytes) {
        return false;
    }
    if (!words_next(&line, &word) || !words_hex(word, &state) || state > UINT8_MAX) {
        return false;
    }
    /* behind the queues, the timer, the retransmissions, the user and the timeout */
    if (!words_skip_next(&line, 5, &word) || !str_u64(word, &socket.inode)) {
        return false;
    }
    socket.state = (unsigned)state;
    *ret_socket = socket;
    return true;
}
