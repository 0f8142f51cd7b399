/* SPDX-License-Identifier: Apache-2.0 */
#include "target/answer.h"

#include <assert.h>

static const char page[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head><meta charset=\"utf-8\"><title>brunt serve</title></head>\n"
    "<body>\n"
    "<h1>brunt serve</h1>\n"
    "<p>This is the built-in target of brunt, a server whose answers have known sizes and\n"
    "known delays. This page is always the same and always 555 bytes long.</p>\n"
    "<ul>\n"
    "<li>/bytes/N</li>\n"
    "<li>/echo</li>\n"
    "<li>/status/N</li>\n"
    "<li>/delay?constant=20ms</li>\n"
    "<li>/delay?exp=5ms</li>\n"
    "<li>/delay?lognormal=5ms,0.5</li>\n"
    "<li>/delay?list=1ms:90,50ms:10&amp;bytes=4096</li>\n"
    "</ul>\n"
    "<p>...............................................</p>\n"
    "</body>\n"
    "</html>\n";

static_assert(sizeof(page) - 1 == ANSWER_PAGE_BYTES, "the page has the size that it says");

static const struct {
    int status;
    const char *reason;
} reasons[] = {
    { 100, "Continue" },
    { 101, "Switching Protocols" },
    { 102, "Processing" },
    { 103, "Early Hints" },
    { 200, "OK" },
    { 201, "Created" },
    { 202, "Accepted" },
    { 204, "No Content" },
    { 206, "Partial Content" },
    { 301, "Moved Permanently" },
    { 302, "Found" },
    { 303, "See Other" },
    { 304, "Not Modified" },
    { 307, "Temporary Redirect" },
    { 308, "Permanent Redirect" },
    { 400, "Bad Request" },
    { 401, "Unauthorized" },
    { 403, "Forbidden" },
    { 404, "Not Found" },
    { 405, "Method Not Allowed" },
    { 408, "Request Timeout" },
    { 409, "Conflict" },
    { 410, "Gone" },
    { 413, "Content Too Large" },
    { 414, "URI Too Long" },
    { 418, "I'm a teapot" },
    { 429, "Too Many Requests" },
    { 431, "Request Header Fields Too Large" },
    { 500, "Internal Server Error" },
    { 501, "Not Implemented" },
    { 502, "Bad Gateway" },
    { 503, "Service Unavailable" },
    { 504, "Gateway Timeout" },
    { 505, "HTTP Version Not Supported" },
};

bool answer_has_body(int status)
{
    return status >= 200 && status != 204 && status != 304;
}

const char *answer_reason(int status)
{
    for (size_t i = 0; i < COUNT_OF(reasons); i++) {
        if (reasons[i].status == status) {
            return reasons[i].reason;
        }
    }
    return "Status";
}

static bool is_redirect(int status)
{
    return (status >= 301 && status <= 303) || status == 307 || status == 308;
}

/* No printf: this runs once a request. */
static void add_number(int64_t value, struct buf *out)
{
    char digits[20];
    size_t at = sizeof(digits);
    uint64_t left = (uint64_t)value;

    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    buf_add(out, digits + at, sizeof(digits) - at);
}

void answer_head_add(const struct answer_head *head, struct buf *out)
{
    static const char *const connections[] = {
        [ANSWER_KEEP] = "",
        [ANSWER_KEEP_1_0] = "connection: keep-alive\r\n",
        [ANSWER_CLOSE] = "connection: close\r\n",
    };
    bool typed = head->content_type != NULL && head->content_type[0] != '\0';

    buf_puts(out, "HTTP/1.1 ");
    add_number(head->status, out);
    buf_putc(out, ' ');
    buf_puts(out, answer_reason(head->status));
    buf_puts(out, "\r\nserver: brunt/" BRUNT_VERSION "\r\n");
    if (answer_has_body(head->status)) {
        buf_puts(out, "content-type: ");
        buf_puts(out, typed ? head->content_type : "text/plain");
        buf_puts(out, "\r\ncontent-length: ");
        add_number(head->body_bytes, out);
        buf_puts(out, "\r\n");
    }
    if (is_redirect(head->status)) {
        buf_puts(out, "location: /\r\n");
    }
    if (head->status == 401) {
        buf_puts(out, "www-authenticate: Basic realm=\"brunt\"\r\n");
    }
    buf_puts(out, connections[head->connection]);
    buf_puts(out, "\r\n");
}

void answer_pages_init(struct answer_pages *pages)
{
    for (enum answer_connection i = 0; i < ANSWER_CONNECTION_COUNT; i++) {
        struct buf *whole = &pages->whole[i];
        struct answer_head head = {
            .status = 200,
            .content_type = "text/html",
            .body_bytes = ANSWER_PAGE_BYTES,
            .connection = i,
        };

        buf_init(whole, ANSWER_HEAD_MAX + ANSWER_PAGE_BYTES);
        answer_head_add(&head, whole);
        pages->head_bytes[i] = whole->len;
        buf_add(whole, page, ANSWER_PAGE_BYTES);
        assert(!whole->overflow);
    }
}

void answer_pages_fini(struct answer_pages *pages)
{
    for (size_t i = 0; i < ANSWER_CONNECTION_COUNT; i++) {
        buf_fini(&pages->whole[i]);
    }
}

struct str answer_page(const struct answer_pages *pages, enum answer_connection connection,
                       bool with_body)
{
    struct str whole = buf_str(&pages->whole[connection]);

    return with_body ? whole : (struct str){ whole.p, pages->head_bytes[connection] };
}
