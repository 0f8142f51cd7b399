/* SPDX-License-Identifier: Apache-2.0 */
/* A pasted curl command: split as a shell does, then read as curl does. No option opens a file. */
#include "fuzz.h"
#include "plan/curl_form.h"
#include "plan/curl_line.h"
#include "plan/plan.h"
#include "plan/plan_options.h"
#include "plan/shell_words.h"

static void check_form(const struct curl_piece *piece)
{
    struct curl_part part;
    struct err err;
    struct buf buf;
    char boundary[CURL_FORM_BOUNDARY_MAX];

    FUZZ_CHECK(piece->name != NULL);
    if (!curl_form_parse(str_of(piece->name), str_of(piece->text), &part, &err)) {
        FUZZ_CHECK(err.kind == ERR_USAGE && err.text[0] != '\0');
        return;
    }
    FUZZ_CHECK(part.content.len <= strlen(piece->text));
    buf_init(&buf, 1 << 20);
    curl_form_encode(&part, 1, &buf, boundary);
    FUZZ_CHECK(buf.overflow || str_ends(buf_str(&buf), STR("--\r\n")));
    FUZZ_CHECK(str_find_str(part.content, str_of(boundary)) == part.content.len);
    buf_fini(&buf);
    curl_form_part_fini(&part);
}

static void check_line(const struct curl_line *line)
{
    FUZZ_CHECK(line->piece_count <= CURL_LINE_PIECES_MAX);
    for (size_t i = 0; i < line->piece_count; i++) {
        FUZZ_CHECK(line->pieces[i].text != NULL);
        if (line->pieces[i].kind == CURL_FORM) {
            check_form(&line->pieces[i]);
        }
    }
}

static void read_words(struct opt_texts *words)
{
    struct plan plan;
    struct opt_set set = { plan_options, &plan };
    struct opt_spec spec = { .sets = &set, .set_count = 1 };
    struct curl_line line = { 0 };
    struct err err;

    plan_init(&plan);
    if (curl_line_parse(&spec, (int)words->count, words->items, &line, &err)) {
        check_line(&line);
    } else {
        FUZZ_CHECK(err.kind == ERR_USAGE && err.text[0] != '\0');
    }
    curl_line_fini(&line);
    plan_fini(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opt_texts words;
    struct err err;

    if (!shell_words_split(fuzz_text(data, size), &words, &err)) {
        FUZZ_CHECK(err.kind == ERR_USAGE && err.text[0] != '\0');
        return 0;
    }
    FUZZ_CHECK(words.count <= size + 1 && words.count <= SHELL_WORDS_COUNT_MAX);
    read_words(&words);
    opt_texts_fini(&words);
    return 0;
}
