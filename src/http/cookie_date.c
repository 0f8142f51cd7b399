/* SPDX-License-Identifier: Apache-2.0 */
#include "http/cookie_date.h"

/* What was found so far; each part is taken from the first token that looks like it. */
struct date {
    bool has_time, has_day, has_month, has_year;
    unsigned hour, minute, second, day, month, year;
};

static bool is_delimiter(char byte)
{
    unsigned char c = (unsigned char)byte;

    return c == 0x09 || (c >= 0x20 && c <= 0x2f) || (c >= 0x3b && c <= 0x40) ||
           (c >= 0x5b && c <= 0x60) || (c >= 0x7b && c <= 0x7e);
}

/* Takes a number of `least` to `most` digits, all that there are, off the token. */
static bool take_number(struct str *token, size_t least, size_t most, unsigned *ret_number)
{
    unsigned number = 0;
    size_t n = 0;

    while (n < token->len && n <= most && token->p[n] >= '0' && token->p[n] <= '9') {
        number = number * 10 + (unsigned)(token->p[n] - '0');
        n++;
    }
    if (n < least || n > most) {
        return false;
    }
    *token = str_from(*token, n);
    *ret_number = number;
    return true;
}

static bool take_colon(struct str *token)
{
    bool is = token->len > 0 && token->p[0] == ':';

    *token = str_from(*token, is);
    return is;
}

static bool read_time(struct str token, struct date *date)
{
    return take_number(&token, 1, 2, &date->hour) && take_colon(&token) &&
           take_number(&token, 1, 2, &date->minute) && take_colon(&token) &&
           take_number(&token, 1, 2, &date->second);
}

static bool read_month(struct str token, struct date *date)
{
    static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";

    for (unsigned month = 0; month < 12; month++) {
        if (str_starts_nocase(token, (struct str){ names + (size_t)3 * month, 3 })) {
            date->month = month + 1;
            return true;
        }
    }
    return false;
}

static void read_token(struct str token, struct date *date)
{
    struct str rest = token;

    if (!date->has_time && read_time(token, date)) {
        date->has_time = true;
    } else if (!date->has_day && take_number(&rest, 1, 2, &date->day)) {
        date->has_day = true;
    } else if (!date->has_month && read_month(token, date)) {
        date->has_month = true;
    } else if (!date->has_year && take_number(&rest, 2, 4, &date->year)) {
        date->has_year = true;
    }
}

static bool is_leap(unsigned year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static unsigned days_in(unsigned month, unsigned year)
{
    static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    return days[month - 1] + (month == 2 && is_leap(year));
}

static bool is_date(const struct date *date)
{
    return date->has_time && date->has_day && date->has_month && date->has_year &&
           date->year >= 1601 && date->day >= 1 && date->day <= days_in(date->month, date->year) &&
           date->hour <= 23 && date->minute <= 59 && date->second <= 59;
}

/* Days from 1970-01-01 to the date. */
static int64_t days_until(const struct date *date)
{
    int64_t before = date->year - 1;
    int64_t days = before * 365 + before / 4 - before / 100 + before / 400;

    for (unsigned month = 1; month < date->month; month++) {
        days += days_in(month, date->year);
    }
    return days + date->day - 1 - 719162;
}

bool cookie_date_parse(struct str text, int64_t *ret_s)
{
    struct date date = { 0 };

    while (text.len > 0) {
        struct str token = { text.p, 0 };

        while (token.len < text.len && !is_delimiter(text.p[token.len])) {
            token.len++;
        }
        if (token.len > 0) {
            read_token(token, &date);
        }
        text = str_from(text, token.len + 1);
    }
    if (date.year <= 99) {
        date.year += date.year >= 70 ? 1900 : 2000;
    }
    if (!is_date(&date)) {
        return false;
    }
    *ret_s = days_until(&date) * 86400 + date.hour * 3600 + date.minute * 60 + date.second;
    return true;
}
