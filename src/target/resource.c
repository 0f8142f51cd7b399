/* SPDX-License-Identifier: Apache-2.0 */
#include "target/resource.h"

#include "base/unit.h"

enum { STATUS_MIN = 200, STATUS_MAX = 999, TEXT_SHOWN_MAX = 80 };

/* Paths come from anywhere and go into a text: not too long. */
static struct str shown(struct str text)
{
    return (struct str){ text.p, text.len < TEXT_SHOWN_MAX ? text.len : TEXT_SHOWN_MAX };
}

static bool parse_bytes(struct str text, struct resource *resource, struct err *err)
{
    if (!unit_parse_bytes(text, &resource->bytes, err)) {
        return false;
    }
    if (resource->bytes > RESOURCE_BYTES_MAX) {
        return err_set(err, ERR_USAGE, "'%.*s' is more than 16g", STR_ARG(shown(text)));
    }
    resource->kind = RESOURCE_BYTES;
    return true;
}

static bool parse_status(struct str text, struct resource *resource, struct err *err)
{
    uint64_t status;

    if (!str_u64(text, &status) || status < STATUS_MIN || status > STATUS_MAX) {
        return err_set(err, ERR_USAGE, "'%.*s' is not a status from %d to %d", STR_ARG(shown(text)),
                       STATUS_MIN, STATUS_MAX);
    }
    resource->kind = RESOURCE_STATUS;
    resource->status = (int)status;
    return true;
}

static bool parse_delay(struct str query, struct resource *resource, struct err *err)
{
    struct str value, name;

    while (str_cut(&query, '&', &value)) {
        enum delay_law law;
        bool ok;

        (void)str_cut(&value, '=', &name);
        law = delay_law_find(name);
        if (value.p != NULL && str_eq(name, STR("bytes"))) {
            ok = parse_bytes(value, resource, err);
        } else if (value.p != NULL && law != DELAY_NONE && resource->delay.law == DELAY_NONE) {
            ok = delay_parse(law, value, &resource->delay, err);
        } else {
            ok = err_set(err, ERR_USAGE,
                         "'%.*s' is none of constant=, exp=, lognormal=, list=, bytes=, or the "
                         "second law",
                         STR_ARG(shown(name)));
        }
        if (!ok) {
            return false;
        }
    }
    if (resource->delay.law == DELAY_NONE) {
        return err_set(err, ERR_USAGE, "a delay needs a law, as in /delay?constant=20ms");
    }
    return true;
}

/* "http://host/path" as proxies get it. */
static struct str without_origin(struct str target)
{
    struct str rest;

    if (!str_starts_nocase(target, STR("http://"))) {
        return target;
    }
    rest = str_from(target, sizeof("http://") - 1);
    rest = str_from(rest, str_find(rest, '/'));
    return rest.len > 0 ? rest : STR("/");
}

bool resource_parse(struct str target, struct resource *ret_resource, int *ret_status,
                    struct err *err)
{
    struct resource resource = { .kind = RESOURCE_PAGE, .status = 200 };
    struct str whole = without_origin(target), query = whole, path;
    bool ok = true;

    (void)str_cut(&query, '?', &path);
    if (str_eq(path, STR("/"))) {
        resource.kind = RESOURCE_PAGE;
    } else if (str_eq(path, STR("/echo"))) {
        resource.kind = RESOURCE_ECHO;
    } else if (str_eq(path, STR("/delay"))) {
        ok = parse_delay(query, &resource, err);
    } else if (str_starts(path, STR("/bytes/"))) {
        ok = parse_bytes(str_from(path, sizeof("/bytes/") - 1), &resource, err);
    } else if (str_starts(path, STR("/status/"))) {
        ok = parse_status(str_from(path, sizeof("/status/") - 1), &resource, err);
    } else if (str_starts(path, STR("/fault/"))) {
        resource.kind = RESOURCE_FAULT;
        resource.fault = str_from(whole, sizeof("/fault/") - 1);
    } else {
        *ret_status = 404;
        return err_set(
            err, ERR_USAGE,
            "nothing at '%.*s': try /, /bytes/N, /echo, /status/N, /delay?constant=20ms or "
            "/fault/NAME",
            STR_ARG(shown(path)));
    }
    if (!ok) {
        *ret_status = 400;
        return false;
    }
    *ret_resource = resource;
    return true;
}
