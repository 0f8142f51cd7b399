/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fail.h"
#include "report/ab.h"

enum { LIMIT = 1000 };

static struct ab ab;
static struct buf buf;

static int begin(UNUSED void **state)
{
    ab_init(&ab, LIMIT);
    ab.server = "s/1";
    ab.host = "h";
    ab.path = "/p";
    ab.port = 8080;
    ab.concurrency = 2;
    ab.taken_s = 2;
    ab.percentiles = true;
    ab.deviations = true;
    ab.table = ab.tr = "";
    ab.td = "bgcolor=white";
    buf_init(&buf, 1 << 20);
    return 0;
}

static int end(UNUSED void **state)
{
    ab_fini(&ab);
    buf_fini(&buf);
    return 0;
}

/* Answered after so many milliseconds, of which one went for the connection. */
static struct row answered(int64_t response_ms)
{
    return (struct row){ .response_ns = response_ms * MSEC_NS,
                         .send_ns = MSEC_NS,
                         .sent_ns = MSEC_NS + 1000,
                         .first_byte_ns = response_ms * MSEC_NS - 1000,
                         .body_bytes = 10,
                         .status = 200,
                         .fail = FAIL_NONE };
}

static void take(struct row row)
{
    ab_take(&ab, &row);
}

static void assert_holds(const char *text)
{
    if (strstr(buf.data, text) == NULL) {
        fail_msg("'%s' is not in:\n%s", text, buf.data);
    }
}

static void assert_lacks(const char *text)
{
    if (strstr(buf.data, text) != NULL) {
        fail_msg("'%s' is in:\n%s", text, buf.data);
    }
}

static void the_text_is_that_of_ab(UNUSED void **state)
{
    for (int64_t i = 1; i <= 4; i++) {
        take(answered(10 * i));
    }
    ab.bytes_in = 4096;
    ab_end(&ab);
    ab_text(&ab, &buf);
    assert_string_equal(buf.data,
                        "\n\n"
                        "Server Software:        s/1\n"
                        "Server Hostname:        h\n"
                        "Server Port:            8080\n"
                        "\n"
                        "Document Path:          /p\n"
                        "Document Length:        10 bytes\n"
                        "\n"
                        "Concurrency Level:      2\n"
                        "Time taken for tests:   2.000 seconds\n"
                        "Complete requests:      4\n"
                        "Failed requests:        0\n"
                        "Total transferred:      4096 bytes\n"
                        "HTML transferred:       40 bytes\n"
                        "Requests per second:    2.00 [#/sec] (mean)\n"
                        "Time per request:       1000.000 [ms] (mean)\n"
                        "Time per request:       500.000 [ms] (mean, across all concurrent "
                        "requests)\n"
                        "Transfer rate:          2.00 [Kbytes/sec] received\n"
                        "\n"
                        "Connection Times (ms)\n"
                        "              min  mean[+/-sd] median   max\n"
                        "Connect:        1    1   0.0      1       1\n"
                        "Processing:     9   24  12.9     24      39\n"
                        "Waiting:        9   24  12.9     24      39\n"
                        "Total:         10   25  12.9     25      40\n"
                        "\n"
                        "Percentage of the requests served within a certain time (ms)\n"
                        "  50%     30\n"
                        "  66%     30\n"
                        "  75%     40\n"
                        "  80%     40\n"
                        "  90%     40\n"
                        "  95%     40\n"
                        "  98%     40\n"
                        "  99%     40\n"
                        " 100%     40 (longest request)\n");
}

static void lines_appear_when_there_is_something_to_say(UNUSED void **state)
{
    struct row row = answered(1);

    row.status = 404;
    row.kept_alive = true;
    take(row);
    ab.keep_alive = true;
    ab.has_body = true;
    ab.bytes_in = 1024;
    ab.bytes_out = 3072;
    ab.percentiles = false;
    ab.deviations = false;
    ab.variable = true;
    ab_end(&ab);
    ab_text(&ab, &buf);
    assert_holds("Document Length:        Variable\n");
    assert_holds("Failed requests:        0\n"
                 "Non-2xx responses:      1\n"
                 "Keep-Alive requests:    1\n"
                 "Total transferred:      1024 bytes\n"
                 "Total body sent:        3072\n"
                 "HTML transferred:       10 bytes\n");
    assert_holds("Transfer rate:          0.50 [Kbytes/sec] received\n"
                 "                        1.50 kb/s sent\n"
                 "                        2.00 kb/s total\n");
    assert_holds("              min   avg   max\n"
                 "Connect:        1     1    1\n");
    assert_lacks("Percentage");
    assert_lacks("Write errors");
}

static const struct {
    enum fail fail;
    const char *counts;
} kinds[] = {
    { FAIL_CONNECT_REFUSED, "(Connect: 1, Receive: 0, Length: 0, Exceptions: 0)" },
    { FAIL_TLS, "(Connect: 1, Receive: 0, Length: 0, Exceptions: 0)" },
    { FAIL_RESET, "(Connect: 0, Receive: 1, Length: 0, Exceptions: 0)" },
    { FAIL_TRUNCATED, "(Connect: 0, Receive: 0, Length: 1, Exceptions: 0)" },
    { FAIL_CLOSED_EARLY, "(Connect: 0, Receive: 0, Length: 1, Exceptions: 0)" },
    { FAIL_TIMEOUT_BODY, "(Connect: 0, Receive: 0, Length: 0, Exceptions: 1)" },
    { FAIL_PROTOCOL, "(Connect: 0, Receive: 0, Length: 0, Exceptions: 1)" },
};

static void a_failure_is_of_one_kind(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        take((struct row){ .response_ns = MSEC_NS,
                           .send_ns = -1,
                           .sent_ns = -1,
                           .first_byte_ns = -1,
                           .fail = (uint8_t)kinds[i].fail });
        ab_end(&ab);
        ab_text(&ab, &buf);
        assert_holds("Failed requests:        1\n   (");
        assert_holds(kinds[i].counts);
        assert_holds("Complete requests:      1\n");
        (void)end(NULL);
        (void)begin(NULL);
    }
}

static void a_body_of_another_length_than_the_first_fails_unless_lengths_vary(UNUSED void **state)
{
    struct row longer = answered(1);

    longer.body_bytes = 11;
    for (int variable = 0; variable < 2; variable++) {
        ab.variable = variable == 1;
        take(answered(1));
        take(longer);
        take(answered(1));
        assert_int_equal(ab.failed, variable == 1 ? 0 : 1);
        assert_int_equal(ab.by_length, ab.failed);
        assert_int_equal(ab.length, 10);
        assert_int_equal(ab.body_in, 31);
        (void)end(NULL);
        (void)begin(NULL);
    }
}

static void a_failure_before_the_first_answer_says_nothing_of_its_length(UNUSED void **state)
{
    take(
        (struct row){ .send_ns = 1, .sent_ns = 2, .first_byte_ns = -1, .fail = FAIL_CLOSED_EARLY });
    take(answered(1));
    assert_int_equal(ab.failed, 1);
    assert_int_equal(ab.length, 10);
}

static void a_reset_while_sending_is_a_write_error_too(UNUSED void **state)
{
    take((struct row){ .send_ns = 1, .sent_ns = -1, .first_byte_ns = -1, .fail = FAIL_RESET });
    take((struct row){ .send_ns = 1, .sent_ns = 2, .first_byte_ns = -1, .fail = FAIL_RESET });
    ab_text(&ab, &buf);
    assert_holds("   (Connect: 0, Receive: 2, Length: 0, Exceptions: 0)\n"
                 "Write errors:           1\n");
}

static void the_median_is_the_middle_or_between_the_two(UNUSED void **state)
{
    struct ab_spread spread;

    take(answered(10));
    take(answered(40));
    take(answered(20));
    ab_spread(&ab, AB_TOTAL, &spread);
    assert_int_equal(spread.median, 20000);
    take(answered(30));
    ab_spread(&ab, AB_TOTAL, &spread);
    assert_int_equal(spread.median, 25000);
    assert_int_equal(spread.min, 10000);
    assert_int_equal(spread.max, 40000);
    assert_int_equal(spread.mean, 25000);
}

/* The rounded ones are 1 and 0 ms and more than a deviation apart: ab would warn. */
static void rounding_is_no_reason_for_a_warning(UNUSED void **state)
{
    for (int i = 0; i < 3; i++) {
        struct row row = answered(1);

        row.send_ns = row.sent_ns = 0;
        row.first_byte_ns = row.response_ns = (i < 2 ? 450 : 800) * USEC_NS;
        take(row);
    }
    ab_text(&ab, &buf);
    assert_holds("Total:          0    1   0.2      0       1\n\n");
}

static void the_table_is_markup_and_what_servers_say_is_not(UNUSED void **state)
{
    ab.server = "<b>&";
    ab.tr = "a=b";
    ab.table = "border=1";
    take(answered(3));
    ab_html(&ab, &buf);
    assert_true(str_starts(buf_str(&buf), STR("\n\n<table border=1>\n<tr a=b><th colspan=2 "
                                              "bgcolor=white>Server Software:</th><td colspan=2 "
                                              "bgcolor=white>&lt;b&gt;&amp;</td></tr>\n")));
    assert_holds("<tr a=b><th bgcolor=white>Processing:</th><td bgcolor=white>    2</td>"
                 "<td bgcolor=white>    2</td><td bgcolor=white>    2</td></tr>\n");
    assert_true(str_ends(buf_str(&buf), STR("</table>\n")));
}

static void gnuplot_gets_a_line_a_request_by_total_time(UNUSED void **state)
{
    struct row row = answered(30);

    (void)setenv("TZ", "UTC", 1);
    tzset();
    row.start_ns = INT64_C(1796063606) * SEC_NS;
    take(row);
    row.response_ns = 10 * MSEC_NS;
    row.first_byte_ns = 5 * MSEC_NS;
    take(row);
    ab_end(&ab);
    ab_gnuplot(&ab, &buf);
    assert_string_equal(buf.data, "starttime\tseconds\tctime\tdtime\tttime\twait\n"
                                  "Mon Nov 30 18:33:26 2026\t1796063606\t1\t9\t10\t4\n"
                                  "Mon Nov 30 18:33:26 2026\t1796063606\t1\t29\t30\t29\n");
}

static void the_percentiles_end_with_the_longest_request(UNUSED void **state)
{
    take(answered(10));
    take(answered(20));
    ab_end(&ab);
    ab_csv(&ab, &buf);
    assert_true(
        str_starts(buf_str(&buf), STR("Percentage served,Time in ms\n0,10.000\n1,10.000\n")));
    assert_holds("\n49,20.000\n");
    assert_true(str_ends(buf_str(&buf), STR("\n99,20.000\n100,20.000\n")));
}

static void no_request_is_no_table_and_no_division(UNUSED void **state)
{
    ab.taken_s = 0;
    ab_end(&ab);
    ab_text(&ab, &buf);
    ab_html(&ab, &buf);
    ab_gnuplot(&ab, &buf);
    ab_csv(&ab, &buf);
    assert_lacks("Connection Times");
    assert_lacks("per second");
    assert_lacks("nan");
    assert_lacks("inf");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_text_is_that_of_ab),
        TEST(lines_appear_when_there_is_something_to_say),
        TEST(a_failure_is_of_one_kind),
        TEST(a_body_of_another_length_than_the_first_fails_unless_lengths_vary),
        TEST(a_failure_before_the_first_answer_says_nothing_of_its_length),
        TEST(a_reset_while_sending_is_a_write_error_too),
        TEST(the_median_is_the_middle_or_between_the_two),
        TEST(rounding_is_no_reason_for_a_warning),
        TEST(the_table_is_markup_and_what_servers_say_is_not),
        TEST(gnuplot_gets_a_line_a_request_by_total_time),
        TEST(the_percentiles_end_with_the_longest_request),
        TEST(no_request_is_no_table_and_no_division),
    };

    return cmocka_run_group_tests_name("report/ab", tests, NULL, NULL);
}
