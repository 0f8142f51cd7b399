/* SPDX-License-Identifier: Apache-2.0 */
/* The parser of requests: however the input is split, the requests in it are the same. */
#include "base/mem.h"
#include "base/rng.h"
#include "fuzz.h"
#include "http/h1_request_parse.h"

enum { BODY_BYTES_MAX = 1 << 20 };

/* All that the input gave, as text: what differs by the split shows. */
struct record {
    struct buf text;
    size_t requests;
};

static void record_head(struct record *record, const struct h1_request_parse *parser)
{
    buf_printf(&record->text, "%s %d %d%d%d%d%d %llu %s ", parser->method, parser->version_minor,
               parser->is_head, parser->keep_alive, parser->expects_continue, parser->chunked,
               parser->has_length, (unsigned long long)parser->length, parser->content_type);
    buf_add_str(&record->text, buf_str(&parser->target));
}

/* Takes one piece in. False when the parser is at its end. */
static bool take_piece(struct h1_request_parse *parser, struct str piece, struct record *record)
{
    for (;;) {
        size_t used = 0;
        enum request_event event = h1_request_parse(parser, piece, &used);

        FUZZ_CHECK(used <= piece.len);
        switch (event) {
        case REQUEST_MORE:
            FUZZ_CHECK(used == piece.len);
            return true;
        case REQUEST_HEAD:
            record_head(record, parser);
            break;
        case REQUEST_BODY:
            FUZZ_CHECK(parser->piece.len > 0 && parser->piece.len <= piece.len);
            buf_add_str(&record->text, parser->piece);
            break;
        case REQUEST_DONE:
            buf_printf(&record->text, "|%llu;", (unsigned long long)parser->body_bytes);
            record->requests++;
            h1_request_parse_begin(parser);
            break;
        case REQUEST_ERROR:
            buf_printf(&record->text, "error %d", parser->error);
            return false;
        }
        piece = str_from(piece, used);
    }
}

static void drive(struct str in, struct rng *rng, struct record *ret_record)
{
    struct h1_request_parse parser;
    bool more = true;

    *ret_record = (struct record){ 0 };
    buf_init(&ret_record->text, BODY_BYTES_MAX);
    h1_request_parse_init(&parser);
    h1_request_parse_begin(&parser);
    while (more && in.len > 0) {
        size_t size = rng == NULL ? in.len : 1 + rng_u64(rng) % 9;
        struct str piece = { in.p, size < in.len ? size : in.len };
        char *copy = mem_new(piece.len, 1);

        memcpy(copy, piece.p, piece.len);
        more = take_piece(&parser, (struct str){ copy, piece.len }, ret_record);
        mem_free(copy);
        in = str_from(in, piece.len);
    }
    h1_request_parse_fini(&parser);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t seed = fuzz_take_byte(&data, &size);
    struct record whole, pieces;
    struct rng rng;

    rng_init(&rng, seed, 0);
    drive(fuzz_text(data, size), NULL, &whole);
    drive(fuzz_text(data, size), &rng, &pieces);
    FUZZ_CHECK(whole.requests == pieces.requests);
    FUZZ_CHECK(str_eq(buf_str(&whole.text), buf_str(&pieces.text)));
    buf_fini(&whole.text);
    buf_fini(&pieces.text);
    return 0;
}
