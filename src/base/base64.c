/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base64.h"

void base64_encode(struct str bytes, struct buf *buf)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t at = 0; at < bytes.len; at += 3) {
        size_t n = bytes.len - at < 3 ? bytes.len - at : 3;
        uint32_t group = 0;
        char text[4] = { '=', '=', '=', '=' };

        for (size_t i = 0; i < n; i++) {
            group |= (uint32_t)(unsigned char)bytes.p[at + i] << (16 - 8 * i);
        }
        for (size_t i = 0; i <= n; i++) {
            text[i] = alphabet[group >> (18 - 6 * i) & 63];
        }
        buf_add(buf, text, sizeof(text));
    }
}
