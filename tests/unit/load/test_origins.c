/* SPDX-License-Identifier: Apache-2.0 */
/* No network: the hosts are addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "load/origins.h"

struct scene {
    struct plan plan;
    struct origins origins;
};

static int set_up(void **state)
{
    struct scene *scene = mem_new(1, sizeof(*scene));

    plan_init(&scene->plan);
    *state = scene;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;

    origins_fini(&scene->origins);
    plan_fini(&scene->plan);
    mem_free(scene);
    return 0;
}

static void scene_begin(struct scene *scene)
{
    struct err err;

    if (!origins_init(&scene->origins, &scene->plan, &err)) {
        fail_msg("%s", err.text);
    }
}

static uint16_t index_of(struct scene *scene, const char *text, bool while_they_run)
{
    uint16_t index = UINT16_MAX;
    struct url url;
    struct err err;

    assert_true(url_parse(str_of(text), &url, &err));
    if (while_they_run) {
        assert_true(origins_want(&scene->origins, &url, &index));
    } else {
        assert_true(origins_add(&scene->origins, &url, &index, &err));
    }
    url_fini(&url);
    return index;
}

static void urls_share_an_origin_by_scheme_host_and_port(void **state)
{
    static const struct {
        const char *url;
        uint16_t index;
    } rows[] = {
        { "http://127.0.0.1/", 0 },         { "http://127.0.0.1:80/x?q", 0 },
        { "HTTP://u:p@127.0.0.1/y", 0 },    { "http://127.0.0.1:81/", 1 },
        { "https://127.0.0.1/", 2 },        { "https://127.0.0.1:80/", 3 },
        { "http://127.0.0.2/", 4 },         { "http://[::1]/", 5 },
        { "https://127.0.0.1:443/z#f", 2 }, { "http://127.0.0.1:81", 1 },
    };

    for (int round = 0; round < 2; round++) {
        scene_begin(*state);
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            assert_int_equal(index_of(*state, rows[i].url, round == 1), rows[i].index);
        }
        origins_fini(&((struct scene *)*state)->origins);
    }
}

static void an_origin_that_is_wanted_is_found_by_a_thread_of_its_own(void **state)
{
    struct scene *scene = *state;
    struct origins *origins = &scene->origins;
    uint16_t home, other;

    scene_begin(scene);
    home = index_of(scene, "http://127.0.0.1:81/", false);
    assert_int_equal(origins_state(origins, home), ORIGIN_SOUGHT);
    other = index_of(scene, "http://127.0.0.2:82/", true);
    /* The thread is joined, which is all that a test can wait for. */
    (void)pthread_join(origins->seekers[other].thread, NULL);
    origins->seekers[other].started = false;
    assert_int_equal(origins_state(origins, other), ORIGIN_FOUND);
    assert_int_equal(origins->items[other].to.count, 1);
    assert_int_equal(index_of(scene, "http://127.0.0.2:82/again", true), other);
    assert_false(origins->seekers[other].started); /* it is not sought twice */
    assert_int_equal(origins_state(origins, home), ORIGIN_SOUGHT);
}

static void the_way_to_an_origin_is_the_plans(void **state)
{
    struct scene *scene = *state;
    int64_t dns_ns;
    struct err err;
    char text[ADDRESS_TEXT_MAX];

    opt_texts_add(&scene->plan.resolve, STR("a.test:80:127.0.0.7"));
    opt_texts_add(&scene->plan.connect_to, STR("b.test:80:127.0.0.8:88"));
    scene_begin(scene);
    assert_int_equal(index_of(scene, "http://a.test/", false), 0);
    assert_int_equal(index_of(scene, "http://b.test/", false), 1);
    assert_true(origins_find(&scene->origins, 0, &dns_ns, &err));
    assert_string_equal(address_format(&scene->origins.items[0].to.items[0], text), "127.0.0.7:80");
    assert_int_equal(dns_ns, -1);
    assert_true(origins_find(&scene->origins, 1, &dns_ns, &err));
    assert_string_equal(address_format(&scene->origins.items[1].to.items[0], text), "127.0.0.8:88");
}

static void an_origin_out_of_reach_of_the_source_addresses_is_lost(void **state)
{
    struct scene *scene = *state;
    struct origins *origins = &scene->origins;
    uint16_t index;

    opt_texts_add(&scene->plan.bind, STR("127.0.0.1"));
    scene_begin(scene);
    index = index_of(scene, "http://[::1]:81/", true);
    (void)pthread_join(origins->seekers[index].thread, NULL);
    origins->seekers[index].started = false;
    assert_int_equal(origins_state(origins, index), ORIGIN_LOST);
    assert_true(origins->seekers[index].why[0] != '\0');
}

static void too_many_are_refused(void **state)
{
    struct scene *scene = *state;
    uint16_t index;
    struct url url;
    struct err err;

    scene_begin(scene);
    for (int port = 1; port <= ORIGINS_MAX; port++) {
        char text[40];

        (void)snprintf(text, sizeof(text), "http://127.0.0.1:%d/", port);
        assert_int_equal(index_of(scene, text, false), port - 1);
    }
    assert_true(url_parse(STR("http://127.0.0.1:999/"), &url, &err));
    assert_false(origins_add(&scene->origins, &url, &index, &err));
    assert_string_equal(err.text, "the URLs go to more than 64 hosts and ports");
    assert_false(origins_want(&scene->origins, &url, &index));
    url_fini(&url);
    assert_int_equal(index_of(scene, "http://127.0.0.1:64/", true), 63);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(urls_share_an_origin_by_scheme_host_and_port, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_origin_that_is_wanted_is_found_by_a_thread_of_its_own,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_way_to_an_origin_is_the_plans, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_origin_out_of_reach_of_the_source_addresses_is_lost,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_many_are_refused, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("load/origins", tests, NULL, NULL);
}
