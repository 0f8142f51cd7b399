/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The answer parser alone: takes in an answer of nginx again and again, for callgrind.
 *
 *     valgrind --tool=callgrind --toggle-collect=h1_parse bench_h1 10000
 *
 * With "-" for the number it checks once that the answer is what it should be.
 */
#include <stdio.h>

#include "base/str.h"
#include "http/h1.h"

static const char answer_head[] = "HTTP/1.1 200 OK\r\n"
                                  "Server: nginx/1.22.1\r\n"
                                  "Date: Mon, 30 Nov 2026 15:00:00 GMT\r\n"
                                  "Content-Type: text/html\r\n"
                                  "Content-Length: 555\r\n"
                                  "Last-Modified: Mon, 30 Nov 2026 14:45:12 GMT\r\n"
                                  "Connection: keep-alive\r\n"
                                  "ETag: \"6926cb38-22b\"\r\n"
                                  "Accept-Ranges: bytes\r\n"
                                  "\r\n";

static bool parse_once(struct str answer)
{
    struct h1_parse parser;
    size_t used = 0;

    h1_parse_begin(&parser, H1_REQUEST_PLAIN);
    return h1_parse(&parser, answer, &used) == PARSE_DONE && used == answer.len &&
           parser.status == 200 && parser.body_bytes == 555 && parser.keep_alive;
}

int main(int argc, char **argv)
{
    char answer[sizeof(answer_head) - 1 + 555] = { 0 };
    uint64_t count = 1, good = 0;

    if (argc != 2 || (!str_eq(str_of(argv[1]), STR("-")) && !str_u64(str_of(argv[1]), &count))) {
        (void)fprintf(stderr, "usage: bench_h1 COUNT|-\n");
        return 2;
    }
    str_copy(answer, sizeof(answer), STR(answer_head));
    for (uint64_t i = 0; i < count; i++) {
        good += parse_once((struct str){ answer, sizeof(answer) });
    }
    (void)fprintf(stdout, "%llu answers of %zu bytes\n", (unsigned long long)good, sizeof(answer));
    return good == count ? 0 : 1;
}
