/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The encoder of requests: whatever the user's texts are, what comes out is one request. The input:
 * a byte of choices, then lines: method, host, user and password, headers; an empty line; the body.
 */
#include "base/mem.h"
#include "fuzz.h"
#include "http/h1_request_parse.h"
#include "http/request.h"

enum { HEADERS_MAX = 8 };

struct input {
    char *method, *host, *userpass;
    char *headers[HEADERS_MAX];
    size_t header_count;
    struct str body;
};

/* The next line as a text of its own; line breaks inside it are written as \v. */
static char *take_line(struct str *rest)
{
    struct str line = { "", 0 };
    char *text;

    (void)str_cut(rest, '\n', &line);
    text = mem_strndup(line.p, line.len);
    for (size_t i = 0; i < line.len; i++) {
        text[i] = text[i] == '\v' ? '\n' : text[i];
    }
    return text;
}

static struct input input_read(struct str rest)
{
    struct input input = { 0 };

    input.method = take_line(&rest);
    input.host = take_line(&rest);
    input.userpass = take_line(&rest);
    while (input.header_count < HEADERS_MAX && rest.p != NULL) {
        char *line = take_line(&rest);

        if (line[0] == '\0') {
            mem_free(line);
            break;
        }
        input.headers[input.header_count++] = line;
    }
    input.body = rest;
    return input;
}

static void input_fini(struct input *input)
{
    mem_free(input->method);
    mem_free(input->host);
    mem_free(input->userpass);
    for (size_t i = 0; i < input->header_count; i++) {
        mem_free(input->headers[i]);
    }
}

static size_t count_lines(struct str text, struct str name)
{
    struct str line;
    size_t count = 0;

    while (str_cut(&text, '\n', &line)) {
        count += str_starts_nocase(line, name);
    }
    return count;
}

/* Exactly one head, every line whole, one of each of the headers that may be there once. */
static void check_one_request(struct str bytes, const struct request_parts *parts)
{
    size_t end = str_find_str(bytes, STR("\r\n\r\n"));
    struct str head = { bytes.p, end };

    FUZZ_CHECK(end + 4 <= bytes.len);
    FUZZ_CHECK(str_eq(str_from(bytes, end + 4), parts->body));
    FUZZ_CHECK(count_lines(head, STR("host:")) <= 1);
    FUZZ_CHECK(count_lines(head, STR("content-length:")) <= 1);
    FUZZ_CHECK(count_lines(head, STR("transfer-encoding:")) == 0);
    for (size_t i = 0; i < head.len; i++) {
        unsigned char c = (unsigned char)head.p[i];

        FUZZ_CHECK(c != '\r' || (i + 1 < head.len && head.p[i + 1] == '\n'));
        FUZZ_CHECK(c != '\n' || head.p[i - 1] == '\r');
        FUZZ_CHECK((c >= 0x20 && c != 0x7f) || c == '\t' || c == '\r' || c == '\n');
    }
}

/* A server that takes the request finds the body that was meant. */
static void check_understood(struct str bytes, const struct request_parts *parts)
{
    struct h1_request_parse parser;
    enum request_event event;
    size_t at = 0, used = 0;

    h1_request_parse_init(&parser);
    h1_request_parse_begin(&parser);
    do {
        event = h1_request_parse(&parser, str_from(bytes, at), &used);
        at += used;
    } while (event == REQUEST_HEAD || event == REQUEST_BODY);
    if (event == REQUEST_DONE) {
        FUZZ_CHECK(parser.body_bytes == parts->body.len);
        FUZZ_CHECK(at == bytes.len);
        FUZZ_CHECK(str_eq(buf_str(&parser.target), parts->proxy != NULL
                                                       ? STR("http://h:81/a?b")
                                                       : str_of(parts->url->target)));
    }
    h1_request_parse_fini(&parser);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t choice = fuzz_take_byte(&data, &size);
    struct input input = input_read(fuzz_text(data, size));
    struct err err;
    struct buf buf;
    struct url url;

    FUZZ_CHECK(url_parse(STR("http://u:p@h:81/a?b"), &url, &err));
    buf_init(&buf, 1 << 20);
    struct request_parts parts = {
        .url = &url,
        .version = (choice & 1) != 0 ? HTTP_1_0 : HTTP_1_1,
        .method = input.method[0] == '\0' ? "GET" : input.method,
        .host = input.host[0] == '\0' ? NULL : input.host,
        .userpass = input.userpass[0] == '\0' ? NULL : input.userpass,
        .proxy = (choice & 32) != 0 ? &url : NULL,
        .headers = (const char *const *)input.headers,
        .header_count = input.header_count,
        .body = (choice & 2) != 0 ? input.body : (struct str){ NULL, 0 },
        .content_type = (choice & 4) != 0 ? "text/plain" : NULL,
        .close = (choice & 8) != 0,
        .user_agent = (choice & 16) != 0 ? "brunt" : NULL,
    };

    if (request_encode(&parts, &buf, &err)) {
        check_one_request(buf_str(&buf), &parts);
        check_understood(buf_str(&buf), &parts);
    } else {
        FUZZ_CHECK(err.text[0] != '\0' && buf.len == 0);
    }
    buf_fini(&buf);
    url_fini(&url);
    input_fini(&input);
    return 0;
}
