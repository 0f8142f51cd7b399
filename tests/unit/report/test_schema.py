#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The result document, its JSON Schema and the headers agree.

Usage: test_schema.py SOURCE_ROOT. Prints TAP.
"""
import copy
import json
import math
import pathlib
import re
import sys
from fractions import Fraction

import jsonschema

ROOT = pathlib.Path(sys.argv[1])
SCHEMA = json.loads((ROOT / "doc/schema/brunt.result-1.schema.json").read_text("utf-8"))
CHECK = jsonschema.Draft202012Validator(SCHEMA)


def refuse(word):
    raise ValueError(f"{word} in a document")


DOCUMENTS = {name: json.loads((ROOT / f"tests/data/result/{name}.json").read_text("utf-8"),
                              parse_constant=refuse)
             for name in ("good", "bad", "few", "none", "early", "stalled", "large")}


def words(header, macro):
    """The quoted word of each row of an X-macro list."""
    text = (ROOT / "src" / header).read_text("utf-8")
    body = re.search(rf"#define {macro}\(X\)((?:.*\\\n)*.*\n)", text)
    return re.findall(r"X\(\w+,\s*\"([^\"]*)\"", body.group(1))


def definition(*path):
    node = SCHEMA
    for step in path:
        node = node[step]
    return node


def the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def documents_are_valid():
    for name, document in DOCUMENTS.items():
        for error in CHECK.iter_errors(document):
            raise AssertionError(f"{name}: {error.json_path}: {error.message}")


def resolve(schema):
    while "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    for choice in schema.get("anyOf", []):
        if choice.get("type") != "null":
            return resolve(choice)
    return schema


def objects(schema, value, path=()):
    """(path, schema) of every object in a document that the schema describes."""
    schema = resolve(schema)
    if isinstance(value, dict):
        yield path, schema
        for key, below in schema.get("properties", {}).items():
            if key in value:
                yield from objects(below, value[key], path + (key,))
    elif isinstance(value, list) and value and "items" in schema and schema["items"]:
        yield from objects(schema["items"], value[0], path + (0,))


def at(document, path):
    for step in path:
        document = document[step]
    return document


def no_field_may_be_missing_and_none_is_undescribed():
    good = DOCUMENTS["good"]
    fields = 0
    for path, schema in list(objects(SCHEMA, good)):
        described = schema.get("properties", {})
        if not described:
            continue
        here = at(good, path)
        assert set(here) == set(described), f"{path}: {set(here) ^ set(described)}"
        for key in here:
            broken = copy.deepcopy(good)
            del at(broken, path)[key]
            assert not CHECK.is_valid(broken), f"{path} without {key} is still valid"
            fields += 1
    assert fields > 150, fields


def wrong_values_are_refused():
    for path, value in ((("run", "state"), "done"), (("run", "seed"), -1),
                        (("counts", "ok"), 1.5), (("counts", "ok"), None),
                        (("latency_ns", "response", "p99"), "5 ms"),
                        (("latency_ns", "response", "ci95", "p99"), [1]),
                        (("latency_ns", "response", "ci95", "p98"), [1, 2]),
                        (("latency_ns", "response", "weak"), ["p98"]),
                        (("slo", 0, "state"), "ok"), (("schema",), "brunt.result/2"),
                        (("series", "phase", 0), "start"),
                        (("counts", "by_failure"), {"timeout": 1}),
                        (("histograms", "response", "buckets", 0), [1])):
        broken = copy.deepcopy(DOCUMENTS["good"])
        at(broken, path[:-1])[path[-1]] = value
        assert not CHECK.is_valid(broken), f"{path} = {value!r} is valid"


def more_fields_are_welcome():
    more = copy.deepcopy(DOCUMENTS["good"])
    more["later"] = more["counts"]["later"] = {"a": 1}
    assert CHECK.is_valid(more)


def enums_are_those_of_the_headers():
    assert definition("$defs", "by_failure", "propertyNames", "enum") == \
        words("base/fail.h", "FAIL_LIST")
    assert definition("properties", "observed", "properties", "failure_samples",
                      "propertyNames", "enum") == words("base/fail.h", "FAIL_LIST")
    assert definition("$defs", "latencies", "required") == words("result/result.h", "LATENCY_LIST")
    assert definition("properties", "series", "properties", "phase", "items", "enum") == \
        words("result/window.h", "PHASE_LIST")
    assert definition("properties", "series", "required") == \
        words("report/series.h", "SERIES_LIST")


def bucket_of(value, bits):
    shift = max(0, (value | 1).bit_length() - 1 - bits)
    return (shift << bits) + (value >> shift)


def bucket_range(index, bits):
    shift = 0 if index < 2 << bits else (index >> bits) - 1
    low = (index - (shift << bits)) << shift
    return low, low + (1 << shift) - 1


def value_at(hist, quantile):
    """As the schema describes it."""
    rank = math.ceil(hist["count"] * Fraction(quantile))
    if rank <= 1:
        return hist["min_ns"]
    if rank >= hist["count"]:
        return hist["max_ns"]
    seen = 0
    for index, count in hist["buckets"]:
        seen += count
        if seen >= rank:
            low, high = bucket_range(index, hist["bits"])
            return min(max(low + (high - low) // 2, hist["min_ns"]), hist["max_ns"])
    raise AssertionError("ranks beyond the count")


def every_percentile_follows_from_the_histogram():
    quantiles = {"p50": "0.5", "p75": "0.75", "p90": "0.9", "p95": "0.95", "p99": "0.99",
                 "p99_9": "0.999", "p99_99": "0.9999"}
    for name, document in DOCUMENTS.items():
        hist = document["histograms"]["response"]
        latency = document["latency_ns"]["response"]
        assert sum(count for _, count in hist["buckets"]) == hist["count"] == latency["count"]
        assert [row[0] for row in hist["buckets"]] == sorted({row[0] for row in hist["buckets"]})
        for key, quantile in quantiles.items():
            known = hist["count"] * (1 - Fraction(quantile)) >= 1
            wanted = value_at(hist, quantile) if known else None
            assert latency[key] == wanted, f"{name}: {key} is {latency[key]}, not {wanted}"
        if hist["count"]:
            assert hist["buckets"][0][0] == bucket_of(hist["min_ns"], hist["bits"])
            assert hist["buckets"][-1][0] == bucket_of(hist["max_ns"], hist["bits"])
            assert abs(latency["mean"] - hist["sum_ns"] / hist["count"]) < 1e-3
            variance = hist["sum_squares_ns2"] / hist["count"] - latency["mean"] ** 2
            assert abs(latency["stddev"] - math.sqrt(variance)) < 1


def percentiles_are_in_order():
    for name, document in DOCUMENTS.items():
        for phase, row in document["latency_ns"].items():
            values = [row[key] for key in ("min", "p50", "p75", "p90", "p95", "p99", "p99_9",
                                           "p99_99", "max") if row[key] is not None]
            assert values == sorted(values), f"{name}: {phase}: {values}"


def intervals_hold_their_point():
    held = 0
    for name, document in DOCUMENTS.items():
        for phase, row in document["latency_ns"].items():
            if row["ci95"] is None:
                assert row["weak"] == [] and phase not in ("response", "service"), f"{name}: {phase}"
                continue
            assert list(row["ci95"]) == ["p50", "p75", "p90", "p95", "p99", "p99_9", "p99_99"]
            for key, pair in row["ci95"].items():
                if pair is not None:
                    assert pair[0] <= row[key] <= pair[1], f"{name}: {phase}: {key}"
                    held += 1
            assert all(row[key] is not None for key in row["weak"]), f"{name}: {phase}"
    assert held > 10, held


def requests_add_up():
    for name, document in DOCUMENTS.items():
        for key in ("counts", "totals"):
            counts = document[key]
            assert counts["started"] == counts["ok"] + counts["failed"] + counts["unfinished"]
            assert counts["failed"] == sum(counts["by_failure"].values()), name


def no_secret_is_left():
    for name in DOCUMENTS:
        text = (ROOT / f"tests/data/result/{name}.json").read_text("utf-8")
        assert "secret" not in text and "u:p@" not in text, name


def main():
    tests = [value for key, value in sorted(globals().items())
             if callable(value) and value.__module__ == "__main__" and "_" in key
             and value.__code__.co_argcount == 0 and key not in ("main",)]
    failed = 0
    print(f"1..{len(tests)}")
    for number, test in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - {test.__name__}")
        except Exception as problem:  # each test is reported, whatever went wrong in it
            failed += 1
            print(f"# {type(problem).__name__}: {problem}")
            print(f"not ok {number} - {test.__name__}")
    return 1 if failed else 0


sys.exit(main())
