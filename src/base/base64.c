/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(struct str bytes, struct buf *buf)
{
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

static int digit_value(char c)
{
    const char *at = c != '\0' ? strchr(alphabet, c) : NULL;

    return at != NULL ? (int)(at - alphabet) : -1;
}

bool base64_decode(struct str text, struct buf *buf)
{
    if (text.len % 4 != 0) {
        return false;
    }
    for (size_t at = 0; at < text.len; at += 4) {
        size_t padding = at + 4 < text.len || text.p[at + 3] != '=' ? 0
                         : text.p[at + 2] == '='                    ? 2
                                                                    : 1;
        uint32_t group = 0;
        char bytes[3];

        for (size_t i = 0; i < 4 - padding; i++) {
            int value = digit_value(text.p[at + i]);

            if (value < 0) {
                return false;
            }
            group |= (uint32_t)value << (18 - 6 * i);
        }
        for (size_t i = 0; i < sizeof(bytes); i++) {
            bytes[i] = (char)(unsigned char)(group >> (16 - 8 * i));
        }
        /* One text for each sequence of bytes. */
        if ((group & ((UINT32_C(1) << (8 * padding)) - 1)) != 0) {
            return false;
        }
        buf_add(buf, bytes, sizeof(bytes) - padding);
    }
    return true;
}
