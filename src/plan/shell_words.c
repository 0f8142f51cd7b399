/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/shell_words.h"

#include <string.h>

#include "base/buf.h"

struct splitter {
    struct str rest;
    struct buf word;
    bool in_word; /* also an empty one: '' */
    struct opt_texts words;
    struct err *err;
};

static char peek(const struct splitter *splitter)
{
    return splitter->rest.len > 0 ? splitter->rest.p[0] : '\0';
}

static void skip(struct splitter *splitter, size_t n)
{
    splitter->rest = str_from(splitter->rest, n);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool end_word(struct splitter *splitter)
{
    struct str word = buf_str(&splitter->word);

    if (!splitter->in_word) {
        return true;
    }
    if (str_find(word, '\0') < word.len) {
        return err_set(splitter->err, ERR_USAGE, "there is a zero byte in word %zu",
                       splitter->words.count + 1);
    }
    if (splitter->words.count == SHELL_WORDS_COUNT_MAX) {
        return err_set(splitter->err, ERR_USAGE, "the command has more than %d words",
                       SHELL_WORDS_COUNT_MAX);
    }
    opt_texts_add(&splitter->words, word);
    buf_reset(&splitter->word);
    splitter->in_word = false;
    return true;
}

static bool refuse_open(const struct splitter *splitter, const char *what)
{
    return err_set(splitter->err, ERR_USAGE,
                   "the %s of word %zu has no end: was the whole command pasted?", what,
                   splitter->words.count + 1);
}

static bool take_single(struct splitter *splitter)
{
    size_t end = str_find(splitter->rest, '\'');

    if (end == splitter->rest.len) {
        return refuse_open(splitter, "quote '");
    }
    buf_add(&splitter->word, splitter->rest.p, end);
    skip(splitter, end + 1);
    return true;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* Up to `max` digits of the base. */
static uint32_t take_digits(struct splitter *splitter, int base, size_t max)
{
    uint32_t value = 0;

    for (size_t i = 0; i < max && splitter->rest.len > 0 && digit_of(peek(splitter)) < base; i++) {
        value = value * (uint32_t)base + (uint32_t)digit_of(peek(splitter));
        skip(splitter, 1);
    }
    return value;
}

static void add_utf8(struct buf *buf, uint32_t code)
{
    if (code < 0x80) {
        buf_putc(buf, (char)code);
    } else if (code < 0x800) {
        buf_putc(buf, (char)(0xc0 | code >> 6));
        buf_putc(buf, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        buf_putc(buf, (char)(0xe0 | code >> 12));
        buf_putc(buf, (char)(0x80 | (code >> 6 & 0x3f)));
        buf_putc(buf, (char)(0x80 | (code & 0x3f)));
    } else {
        buf_putc(buf, (char)(0xf0 | (code >> 18 & 7)));
        buf_putc(buf, (char)(0x80 | (code >> 12 & 0x3f)));
        buf_putc(buf, (char)(0x80 | (code >> 6 & 0x3f)));
        buf_putc(buf, (char)(0x80 | (code & 0x3f)));
    }
}

/* Browsers write characters beyond U+FFFF as two \u. */
static void take_code(struct splitter *splitter, size_t digits)
{
    uint32_t code = take_digits(splitter, 16, digits);

    if (code >= 0xd800 && code < 0xdc00 && str_starts(splitter->rest, STR("\\u"))) {
        struct str before = splitter->rest;
        uint32_t low;

        skip(splitter, 2);
        low = take_digits(splitter, 16, 4);
        if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        } else {
            splitter->rest = before;
        }
    }
    add_utf8(&splitter->word, code);
}

/* What follows a backslash within $'...'. */
static void take_escape(struct splitter *splitter)
{
    static const char names[] = "abeEfnrtv\\'\"?";
    static const char bytes[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
    char c = peek(splitter);
    const char *at = c != '\0' ? strchr(names, c) : NULL;

    if (c >= '0' && c <= '7') {
        buf_putc(&splitter->word, (char)(unsigned char)take_digits(splitter, 8, 3));
        return;
    }
    skip(splitter, 1);
    if (at != NULL) {
        buf_putc(&splitter->word, bytes[at - names]);
    } else if (c == 'x' && digit_of(peek(splitter)) < 16) {
        buf_putc(&splitter->word, (char)(unsigned char)take_digits(splitter, 16, 2));
    } else if ((c == 'u' || c == 'U') && digit_of(peek(splitter)) < 16) {
        take_code(splitter, c == 'u' ? 4 : 8);
    } else {
        buf_putc(&splitter->word, '\\');
        buf_putc(&splitter->word, c);
    }
}

static bool take_ansi(struct splitter *splitter)
{
    while (splitter->rest.len > 0) {
        char c = peek(splitter);

        skip(splitter, 1);
        if (c == '\'') {
            return true;
        }
        if (c == '\\' && splitter->rest.len > 0) {
            take_escape(splitter);
        } else {
            buf_putc(&splitter->word, c);
        }
    }
    return refuse_open(splitter, "quote $'");
}

static bool refuse_shell(const struct splitter *splitter)
{
    return err_set(splitter->err, ERR_USAGE,
                   "word %zu has a part that only a shell can fill in ($ or `): paste what it "
                   "stands for, or quote it with '",
                   splitter->words.count + 1);
}

/* Whether a shell would put something in here: $NAME, ${, $(, `. */
static bool is_shells_own(struct str text)
{
    char next = text.len > 1 ? text.p[1] : '\0';

    return text.p[0] == '`' ||
           (text.p[0] == '$' && (next == '{' || next == '(' || next == '_' || next == '?' ||
                                 (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                                 (next >= '0' && next <= '9')));
}

static bool take_double(struct splitter *splitter)
{
    while (splitter->rest.len > 0) {
        char c = peek(splitter);

        if (is_shells_own(splitter->rest)) {
            return refuse_shell(splitter);
        }
        skip(splitter, 1);
        if (c == '"') {
            return true;
        }
        if (c == '\\' && splitter->rest.len > 0 && strchr("$`\"\\\n", peek(splitter)) != NULL) {
            c = peek(splitter);
            skip(splitter, 1);
            if (c == '\n') {
                continue;
            }
        }
        buf_putc(&splitter->word, c);
    }
    return refuse_open(splitter, "quote \"");
}

/* A backslash outside of quotes; at the end of a line it continues it. */
static bool take_backslash(struct splitter *splitter)
{
    if (str_starts(splitter->rest, STR("\\\n"))) {
        skip(splitter, 2);
    } else if (str_starts(splitter->rest, STR("\\\r\n"))) {
        skip(splitter, 3);
    } else if (splitter->rest.len == 1) {
        skip(splitter, 1);
    } else {
        splitter->in_word = true;
        buf_putc(&splitter->word, splitter->rest.p[1]);
        skip(splitter, 2);
    }
    return true;
}

static bool take_quote(struct splitter *splitter)
{
    struct str rest = splitter->rest;
    size_t dollar = rest.p[0] == '$' ? 1 : 0;

    splitter->in_word = true;
    skip(splitter, dollar + 1);
    if (rest.p[dollar] == '"') {
        return take_double(splitter);
    }
    return dollar > 0 ? take_ansi(splitter) : take_single(splitter);
}

/* A new line where nothing continues it begins another command, which is refused. */
static bool take_blank(struct splitter *splitter)
{
    bool line = peek(splitter) == '\n';

    skip(splitter, 1);
    if (!end_word(splitter)) {
        return false;
    }
    return !line || splitter->words.count == 0 || str_trim(splitter->rest).len == 0 ||
           err_set(splitter->err, ERR_USAGE,
                   "a second command begins after word %zu: a line is continued by \\ at its end",
                   splitter->words.count);
}

static bool take_posix(struct splitter *splitter)
{
    struct str rest = splitter->rest;
    char c = rest.p[0], next = rest.len > 1 ? rest.p[1] : '\0';

    if (is_blank(c)) {
        return take_blank(splitter);
    }
    if (c == '\\') {
        return take_backslash(splitter);
    }
    if (c == '\'' || c == '"' || (c == '$' && (next == '\'' || next == '"'))) {
        return take_quote(splitter);
    }
    if (is_shells_own(rest)) {
        return refuse_shell(splitter);
    }
    if (c != '\0' && strchr("|&;<>()", c) != NULL) {
        return err_set(splitter->err, ERR_USAGE,
                       "%c after word %zu belongs to the shell: paste the curl command alone, with "
                       "URLs in quotes",
                       c, splitter->words.count + (splitter->in_word ? 1 : 0));
    }
    if (c == '#' && !splitter->in_word) {
        skip(splitter, str_find(rest, '\n'));
        return true;
    }
    splitter->in_word = true;
    buf_putc(&splitter->word, c);
    skip(splitter, 1);
    return true;
}

/* Whether it is Windows' form. */
static bool is_windows(struct str text)
{
    return str_find_str(text, STR("^\"")) < text.len ||
           str_find_str(text, STR(" ^\n")) < text.len ||
           str_find_str(text, STR(" ^\r\n")) < text.len;
}

/* What cmd hands on: without its carets. Within bare quotes a caret is one. */
static void without_carets(struct str text, struct buf *buf)
{
    bool quoted = false;

    for (size_t at = 0; at < text.len; at++) {
        char c = text.p[at];

        if (c == '^' && !quoted) {
            at++;
            at += at + 1 < text.len && text.p[at] == '\r' && text.p[at + 1] == '\n';
            /* A continued line: its first byte is taken as it is. */
            at += at + 1 < text.len && text.p[at] == '\n';
            if (at < text.len) {
                buf_putc(buf, text.p[at]);
            }
            continue;
        }
        quoted = c == '"' ? !quoted : quoted;
        buf_putc(buf, c);
    }
}

/* Backslashes before a quote count by pairs; an odd one makes the quote a byte of the word. */
static size_t take_backslashes(struct splitter *splitter)
{
    size_t count = 0;

    while (peek(splitter) == '\\') {
        count++;
        skip(splitter, 1);
    }
    for (size_t i = 0; i < (peek(splitter) == '"' ? count / 2 : count); i++) {
        buf_putc(&splitter->word, '\\');
    }
    return count;
}

/* The rules by which programs of Windows split what they are given. */
static bool split_windows(struct splitter *splitter)
{
    bool quoted = false;

    while (splitter->rest.len > 0) {
        size_t slashes;

        if (is_blank(peek(splitter)) && !quoted) {
            skip(splitter, 1);
            if (!end_word(splitter)) {
                return false;
            }
            continue;
        }
        splitter->in_word = true;
        slashes = take_backslashes(splitter);
        if (splitter->rest.len == 0 || (peek(splitter) != '"' && slashes > 0)) {
            continue;
        }
        if (peek(splitter) == '"' && slashes % 2 == 0) {
            if (quoted && str_starts(splitter->rest, STR("\"\""))) {
                buf_putc(&splitter->word, '"');
                skip(splitter, 1);
            } else {
                quoted = !quoted;
            }
        } else {
            buf_putc(&splitter->word, peek(splitter));
        }
        skip(splitter, 1);
    }
    return !quoted || refuse_open(splitter, "quote \"");
}

static bool split(struct splitter *splitter, struct str text)
{
    struct buf plain;
    bool ok = true;

    if (is_windows(text)) {
        buf_init(&plain, SHELL_WORDS_BYTES_MAX);
        without_carets(text, &plain);
        splitter->rest = buf_str(&plain);
        ok = split_windows(splitter) && end_word(splitter);
        buf_fini(&plain);
        return ok;
    }
    splitter->rest = text;
    while (ok && splitter->rest.len > 0) {
        ok = take_posix(splitter);
    }
    return ok && end_word(splitter);
}

bool shell_words_split(struct str text, struct opt_texts *ret_words, struct err *err)
{
    struct splitter splitter = { .err = err };
    bool ok;

    if (text.len > SHELL_WORDS_BYTES_MAX) {
        return err_set(err, ERR_USAGE, "the command is longer than %d MiB",
                       SHELL_WORDS_BYTES_MAX >> 20);
    }
    buf_init(&splitter.word, SHELL_WORDS_BYTES_MAX);
    ok = split(&splitter, text);
    buf_fini(&splitter.word);
    if (!ok) {
        opt_texts_fini(&splitter.words);
        return false;
    }
    *ret_words = splitter.words;
    return true;
}
