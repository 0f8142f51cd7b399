/* SPDX-License-Identifier: Apache-2.0 */
/* Both ends in one thread, over a pair of sockets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/tls.h"
#include "net/tls_cert.h"

#define YEAR_2026 INT64_C(1767225600)
#define YEAR_2099 INT64_C(4070908800)

static struct tls_cert *cert;
static char ca_path[64];

struct ends {
    struct tls_context *client_context, *server_context;
    struct tls_peer peer;
    struct stream client, server;
    char *buffer;
};

static void open_pair(struct ends *ends)
{
    int pair[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    stream_of_socket(&ends->client, pair[0], false, false);
    stream_of_socket(&ends->server, pair[1], false, false);
    tls_start(&ends->client, ends->client_context, &ends->peer);
    tls_start(&ends->server, ends->server_context, NULL);
}

static struct ends *ends_new(const struct tls_options *client, const struct tls_options *server,
                             const char *name)
{
    struct ends *ends = mem_new(1, sizeof(*ends));
    struct err err;

    ends->buffer = mem_new(1, TLS_READ_BYTES_MIN);
    ends->client_context = tls_context_new(client, NULL, &err);
    ends->server_context = tls_context_new(server, NULL, &err);
    assert_non_null(ends->client_context);
    assert_non_null(ends->server_context);
    tls_peer_init(&ends->peer, name);
    open_pair(ends);
    return ends;
}

static void close_pair(struct ends *ends)
{
    stream_close(&ends->client);
    stream_close(&ends->server);
}

static void ends_free(struct ends *ends)
{
    close_pair(ends);
    tls_peer_fini(&ends->peer);
    tls_context_free(ends->client_context);
    tls_context_free(ends->server_context);
    mem_free(ends->buffer);
    mem_free(ends);
}

/* Until both are done, or one has failed. */
static enum io shake(struct ends *ends)
{
    for (int i = 0; i < 20; i++) {
        enum io client = tls_handshake(&ends->client);
        enum io server = tls_handshake(&ends->server);

        if (client == IO_FAIL || server == IO_FAIL) {
            return IO_FAIL;
        }
        if (client == IO_DONE && server == IO_DONE) {
            return IO_DONE;
        }
    }
    return IO_WAIT;
}

static struct tls_options client_options(void)
{
    return (struct tls_options){ .verify = true, .cacert = ca_path };
}

static struct tls_options server_options(void)
{
    return (struct tls_options){ .server = true, .own = cert, .resume = true };
}

static void say(struct stream *stream, const char *text, size_t len)
{
    size_t sent = 0;

    assert_int_equal(stream_write(stream, (struct str){ text, len }, &sent), IO_DONE);
    assert_int_equal(sent, len);
}

static struct stream_read hear(struct ends *ends, struct stream *stream)
{
    return stream_read(stream, STREAM_COPY, ends->buffer, TLS_READ_BYTES_MIN);
}

static void text_goes_both_ways_in_each_version(UNUSED void **state)
{
    static const struct {
        enum tls_version version;
        const char *name;
    } cases[] = { { TLS_VERSION_1_2, "TLSv1.2" }, { TLS_VERSION_1_3, "TLSv1.3" } };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tls_options client = client_options(), server = server_options();
        struct stream_read read;
        struct tls_facts facts;
        struct ends *ends;

        client.least = client.most = cases[i].version;
        ends = ends_new(&client, &server, "localhost");
        assert_int_equal(shake(ends), IO_DONE);
        tls_facts(&ends->client, &facts);
        assert_string_equal(facts.version, cases[i].name);
        assert_int_equal(facts.key_bits, 256);
        assert_true(facts.cipher_bits >= 128 && facts.group[0] != '\0');
        say(&ends->client, "hello", 5);
        read = hear(ends, &ends->server);
        assert_int_equal(read.io, IO_DONE);
        assert_int_equal(read.n, 5);
        assert_true(read.drained);
        assert_memory_equal(ends->buffer, "hello", 5);
        say(&ends->server, "well, hello", 11);
        read = hear(ends, &ends->client);
        assert_int_equal(read.n, 11);
        assert_int_equal(hear(ends, &ends->client).io, IO_WAIT);
        ends_free(ends);
    }
}

/* What the library has taken in must not wait there for the socket to become readable again. */
static void all_that_has_come_is_read_without_another_event(UNUSED void **state)
{
    enum { WHOLE = 150000 };
    struct tls_options client = client_options(), server = server_options();
    struct ends *ends = ends_new(&client, &server, "localhost");
    char *text = mem_new(1, WHOLE);
    size_t got = 0, sent = 0;
    struct stream_read read = { 0 };

    memset(text, 'x', WHOLE);
    assert_int_equal(shake(ends), IO_DONE);
    while (sent < WHOLE) {
        size_t n = 0;

        if (stream_write(&ends->server, (struct str){ text + sent, WHOLE - sent }, &n) == IO_DONE) {
            sent += n;
        }
        /* All that is in the socket now, until the stream says that it is empty. */
        do {
            read = hear(ends, &ends->client);
            got += read.n;
        } while (read.io == IO_DONE && !read.drained);
    }
    assert_int_equal(got, WHOLE);
    mem_free(text);
    ends_free(ends);
}

/* The last record may come in as many pieces as there are bytes. */
static void a_record_in_pieces_is_waited_for(UNUSED void **state)
{
    struct tls_options client = client_options(), server = server_options();
    struct ends *ends = ends_new(&client, &server, "localhost");
    char record[256];
    ssize_t len;
    int pair[2];
    size_t got = 0;

    assert_int_equal(shake(ends), IO_DONE);
    while (hear(ends, &ends->client).io == IO_DONE) {
    }
    /* The record is taken off the wire by us and handed on byte by byte. */
    say(&ends->server, "slowly", 6);
    len = recv(ends->client.fd, record, sizeof(record), 0);
    assert_true(len > 6);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    close(ends->client.fd);
    ends->client.fd = pair[0];
    for (ssize_t i = 0; i < len; i++) {
        struct stream_read read;

        assert_int_equal(send(pair[1], record + i, 1, 0), 1);
        read = hear(ends, &ends->client);
        assert_int_equal(read.io, i + 1 < len ? IO_WAIT : IO_DONE);
        got += read.n;
    }
    assert_int_equal(got, 6);
    close(pair[1]);
    ends_free(ends);
}

static void an_end_is_clean_or_not(UNUSED void **state)
{
    for (int clean = 0; clean < 2; clean++) {
        struct tls_options client = client_options(), server = server_options();
        struct ends *ends = ends_new(&client, &server, "localhost");
        struct stream_read read;

        assert_int_equal(shake(ends), IO_DONE);
        say(&ends->server, "bye", 3);
        if (clean) {
            stream_close(&ends->server);
        } else {
            assert_int_equal(shutdown(ends->server.fd, SHUT_WR), 0);
        }
        read = hear(ends, &ends->client);
        assert_int_equal(read.n, 3);
        if (clean) {
            /* The word of it came with the text: nothing else will wake the reader. */
            assert_false(read.drained);
        }
        assert_int_equal(hear(ends, &ends->client).io, IO_EOF);
        assert_int_equal(ends->client.unclean, !clean);
        ends_free(ends);
    }
}

static void who_is_not_trusted_is_refused_with_the_reason(UNUSED void **state)
{
    static const struct {
        const char *name;
        bool trusted;
        const char *reason; /* NULL: accepted */
    } cases[] = {
        { "localhost", true, NULL },
        { "127.0.0.1", true, NULL },
        { "::1", true, NULL },
        { "a.host", true, "hostname mismatch" },
        { "127.0.0.2", true, "IP address mismatch" },
        { "localhost", false, "self-signed certificate" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tls_options client = client_options(), server = server_options();
        struct ends *ends;

        client.cacert = cases[i].trusted ? ca_path : NULL;
        ends = ends_new(&client, &server, cases[i].name);
        if (cases[i].reason == NULL) {
            assert_int_equal(shake(ends), IO_DONE);
        } else {
            assert_int_equal(shake(ends), IO_FAIL);
            assert_int_equal(ends->client.error, EPROTO);
            assert_non_null(strstr(tls_context_reason(ends->client_context), cases[i].reason));
        }
        ends_free(ends);
    }
}

static void without_verification_anybody_is_accepted(UNUSED void **state)
{
    struct tls_options client = { 0 }, server = server_options();
    struct ends *ends = ends_new(&client, &server, "a.host");

    assert_int_equal(shake(ends), IO_DONE);
    ends_free(ends);
}

static void a_peer_without_tls_is_told_apart(UNUSED void **state)
{
    static const struct {
        const char *answer; /* NULL: closes */
        const char *reason;
    } cases[] = {
        { "HTTP/1.1 400 Bad Request\r\n\r\n", "does it speak plain http?" },
        { NULL, "closed the connection in the handshake" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tls_options client = client_options(), server = server_options();
        struct ends *ends = ends_new(&client, &server, "localhost");

        assert_int_equal(tls_handshake(&ends->client), IO_WAIT);
        assert_false(ends->client.wants_write);
        if (cases[i].answer != NULL) {
            assert_true(send(ends->server.fd, cases[i].answer, strlen(cases[i].answer), 0) > 0);
        } else {
            assert_int_equal(shutdown(ends->server.fd, SHUT_WR), 0);
        }
        assert_int_equal(tls_handshake(&ends->client), IO_FAIL);
        assert_non_null(strstr(tls_context_reason(ends->client_context), cases[i].reason));
        ends_free(ends);
    }
}

static void a_session_is_resumed_when_that_is_asked_for(UNUSED void **state)
{
    for (int version = TLS_VERSION_1_2; version <= TLS_VERSION_1_3; version++) {
        for (int resume = 0; resume < 2; resume++) {
            struct tls_options client = client_options(), server = server_options();
            struct ends *ends;
            const struct tls_counts *counts;

            client.resume = resume;
            client.least = client.most = (enum tls_version)version;
            ends = ends_new(&client, &server, "localhost");
            counts = tls_context_counts(ends->client_context);
            for (int i = 0; i < 3; i++) {
                assert_int_equal(shake(ends), IO_DONE);
                say(&ends->server, "ticket", 6);
                assert_int_equal(hear(ends, &ends->client).n, 6);
                close_pair(ends);
                open_pair(ends);
            }
            assert_int_equal(counts->handshakes, 3);
            assert_int_equal(counts->resumed, resume ? 2 : 0);
            ends_free(ends);
        }
    }
}

static void a_ticket_of_one_context_is_good_for_those_like_it(UNUSED void **state)
{
    for (int version = TLS_VERSION_1_2; version <= TLS_VERSION_1_3; version++) {
        for (int alike = 0; alike < 2; alike++) {
            struct tls_options client = client_options(), server = server_options();
            struct tls_context *first, *second;
            struct ends *ends;
            struct err err;

            client.resume = true;
            client.least = client.most = (enum tls_version)version;
            ends = ends_new(&client, &server, "localhost");
            first = ends->server_context;
            second = tls_context_new(&server, alike ? first : NULL, &err);
            assert_non_null(second);
            assert_int_equal(shake(ends), IO_DONE);
            say(&ends->server, "ticket", 6);
            assert_int_equal(hear(ends, &ends->client).n, 6);
            close_pair(ends);
            ends->server_context = second;
            open_pair(ends);
            assert_int_equal(shake(ends), IO_DONE);
            assert_int_equal(tls_context_counts(second)->resumed, alike);
            close_pair(ends);
            ends->server_context = first;
            tls_context_free(second);
            open_pair(ends);
            ends_free(ends);
        }
    }
}

static void a_side_that_ends_can_say_so_or_not(UNUSED void **state)
{
    for (int notify = 0; notify < 2; notify++) {
        struct tls_options client = client_options(), server = server_options();
        struct ends *ends = ends_new(&client, &server, "localhost");

        assert_int_equal(shake(ends), IO_DONE);
        say(&ends->server, "bye", 3);
        stream_end(&ends->server, notify);
        assert_int_equal(hear(ends, &ends->client).n, 3);
        assert_int_equal(hear(ends, &ends->client).io, IO_EOF);
        assert_int_equal(ends->client.unclean, !notify);
        /* Its socket is still there. */
        assert_true(ends->server.fd >= 0 && ends->server.tls == NULL);
        ends_free(ends);
    }
}

static void a_wish_to_renew_does_not_disturb_the_text(UNUSED void **state)
{
    for (int version = TLS_VERSION_1_2; version <= TLS_VERSION_1_3; version++) {
        struct tls_options client = client_options(), server = server_options();
        struct ends *ends;

        client.least = client.most = (enum tls_version)version;
        ends = ends_new(&client, &server, "localhost");
        assert_int_equal(shake(ends), IO_DONE);
        for (int i = 0; i < 3; i++) {
            assert_true(tls_renew(&ends->server));
            say(&ends->server, "before", 6);
            assert_int_equal(hear(ends, &ends->client).n, 6);
            assert_int_equal(hear(ends, &ends->server).io, IO_WAIT);
            (void)hear(ends, &ends->client);
            (void)hear(ends, &ends->server);
            (void)hear(ends, &ends->client);
            say(&ends->client, "after", 5);
            assert_int_equal(hear(ends, &ends->server).n, 5);
        }
        ends_free(ends);
    }
}

static void text_behind_the_handshake_is_not_lost(UNUSED void **state)
{
    struct tls_options client = client_options(), server = server_options();
    struct ends *ends;
    struct stream_read read;

    /* In 1.2 the client speaks last but one: the server's finish and text can come together. */
    client.most = TLS_VERSION_1_2;
    ends = ends_new(&client, &server, "localhost");
    for (int i = 0; i < 10 && tls_handshake(&ends->server) != IO_DONE; i++) {
        (void)tls_handshake(&ends->client);
    }
    say(&ends->server, "early", 5);
    assert_int_equal(tls_handshake(&ends->client), IO_DONE);
    read = hear(ends, &ends->client);
    assert_int_equal(read.io, IO_DONE);
    assert_int_equal(read.n, 5);
    ends_free(ends);
}

static void what_a_file_lacks_is_said(UNUSED void **state)
{
    struct tls_options client = client_options();
    struct err err;

    client.cacert = "/nowhere/ca.pem";
    assert_null(tls_context_new(&client, NULL, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "/nowhere/ca.pem"));
    client = client_options();
    client.cert = ca_path; /* a certificate, and no key */
    assert_null(tls_context_new(&client, NULL, &err));
    assert_non_null(strstr(err.text, "key"));
    client = client_options();
    client.ciphers = "NOT-A-CIPHER";
    assert_null(tls_context_new(&client, NULL, &err));
    assert_non_null(strstr(err.text, "NOT-A-CIPHER"));
}

static int set_up(UNUSED void **state)
{
    static const char *const names[] = { "localhost", "127.0.0.1", "::1" };
    struct tls_cert_options options = { names, COUNT_OF(names), YEAR_2026, YEAR_2099 };
    struct err err;
    struct buf pem;
    int fd;

    cert = tls_cert_make(&options, &err);
    assert_non_null(cert);
    buf_init(&pem, 1 << 16);
    tls_cert_pem(cert, &pem);
    (void)snprintf(ca_path, sizeof(ca_path), "/tmp/brunt-test-ca-XXXXXX");
    fd = mkstemp(ca_path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, pem.data, pem.len), pem.len);
    close(fd);
    buf_fini(&pem);
    return 0;
}

static int tear_down(UNUSED void **state)
{
    tls_cert_free(cert);
    return unlink(ca_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_goes_both_ways_in_each_version),
        cmocka_unit_test(all_that_has_come_is_read_without_another_event),
        cmocka_unit_test(a_record_in_pieces_is_waited_for),
        cmocka_unit_test(an_end_is_clean_or_not),
        cmocka_unit_test(who_is_not_trusted_is_refused_with_the_reason),
        cmocka_unit_test(without_verification_anybody_is_accepted),
        cmocka_unit_test(a_peer_without_tls_is_told_apart),
        cmocka_unit_test(a_session_is_resumed_when_that_is_asked_for),
        cmocka_unit_test(a_ticket_of_one_context_is_good_for_those_like_it),
        cmocka_unit_test(a_side_that_ends_can_say_so_or_not),
        cmocka_unit_test(a_wish_to_renew_does_not_disturb_the_text),
        cmocka_unit_test(text_behind_the_handshake_is_not_lost),
        cmocka_unit_test(what_a_file_lacks_is_said),
    };

    return cmocka_run_group_tests_name("net/tls", tests, set_up, tear_down);
}
