# SPDX-License-Identifier: Apache-2.0
"""The part of JSON Schema that the project's schema uses, so that the check runs on a bare
machine. An unknown keyword is a fault: nothing is passed over in silence."""

import math
import re

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: (isinstance(v, int) and not isinstance(v, bool)) or (isinstance(v, float) and v == math.floor(v)),
}
SILENT = {"$schema", "$id", "$defs", "definitions", "title", "description", "$comment", "default", "examples", "format"}


def faults(value, schema, root=None, path="$"):
    """The places where value is not what schema says, as lines of text."""
    root = schema if root is None else root
    if schema is True:
        return []
    if schema is False:
        return ["%s: not allowed" % path]
    found = []
    for keyword, wanted in schema.items():
        if keyword in SILENT or keyword in ("then", "else"):
            continue
        rule = RULES.get(keyword)
        if rule is None:
            found.append("%s: the schema's keyword %r is not known" % (path, keyword))
        else:
            found += rule(value, wanted, schema, root, path)
    return found


def resolve(reference, root):
    node = root
    for part in reference.lstrip("#").strip("/").split("/"):
        if part:
            node = node[part.replace("~1", "/").replace("~0", "~")]
    return node


def rule_type(value, wanted, _schema, _root, path):
    names = wanted if isinstance(wanted, list) else [wanted]
    return [] if any(TYPES[n](value) for n in names) else ["%s: %r is not %s" % (path, value, "/".join(names))]


def rule_properties(value, wanted, _schema, root, path):
    if not isinstance(value, dict):
        return []
    return [f for k, s in wanted.items() if k in value for f in faults(value[k], s, root, path + "." + k)]


def rule_pattern_properties(value, wanted, _schema, root, path):
    if not isinstance(value, dict):
        return []
    return [f for p, s in wanted.items() for k in value if re.search(p, k) for f in faults(value[k], s, root, path + "." + k)]


def rule_additional(value, wanted, schema, root, path):
    if not isinstance(value, dict):
        return []
    known = set(schema.get("properties", {}))
    patterns = list(schema.get("patternProperties", {}))
    rest = [k for k in value if k not in known and not any(re.search(p, k) for p in patterns)]
    return [f for k in rest for f in faults(value[k], wanted, root, path + "." + k)]


def rule_names(value, wanted, _schema, root, path):
    return [f for k in value for f in faults(k, wanted, root, path + "(name)")] if isinstance(value, dict) else []


def rule_prefix(value, wanted, _schema, root, path):
    if not isinstance(value, list):
        return []
    return [f for i, (v, s) in enumerate(zip(value, wanted)) for f in faults(v, s, root, "%s[%d]" % (path, i))]


def rule_items(value, wanted, schema, root, path):
    """The items after those that prefixItems speaks of."""
    if not isinstance(value, list):
        return []
    first = len(schema.get("prefixItems", []))
    return [f for i, v in enumerate(value) if i >= first for f in faults(v, wanted, root, "%s[%d]" % (path, i))]


def rule_any(value, wanted, _schema, root, path):
    options = [faults(value, s, root, path) for s in wanted]
    return [] if any(not o for o in options) else ["%s: fits none of %d forms: %s" % (path, len(wanted), options[0][:2])]


def rule_one(value, wanted, _schema, root, path):
    fits = sum(1 for s in wanted if not faults(value, s, root, path))
    return [] if fits == 1 else ["%s: fits %d of the forms, not one" % (path, fits)]


def compare(word, holds):
    def rule(value, wanted, _schema, _root, path):
        if not TYPES["number"](value) or holds(value, wanted):
            return []
        return ["%s: %r breaks %s %r" % (path, value, word, wanted)]

    return rule


def count(kind, word, holds):
    def rule(value, wanted, _schema, _root, path):
        if not isinstance(value, kind) or holds(len(value), wanted):
            return []
        return ["%s: %d breaks %s %d" % (path, len(value), word, wanted)]

    return rule


RULES = {
    "$ref": lambda v, w, s, r, p: faults(v, resolve(w, r), r, p),
    "type": rule_type,
    "enum": lambda v, w, s, r, p: [] if v in w else ["%s: %r is none of %s" % (p, v, w)],
    "const": lambda v, w, s, r, p: [] if v == w else ["%s: %r is not %r" % (p, v, w)],
    "required": lambda v, w, s, r, p: ["%s: %s is missing" % (p, k) for k in w if isinstance(v, dict) and k not in v],
    "properties": rule_properties,
    "patternProperties": rule_pattern_properties,
    "additionalProperties": rule_additional,
    "propertyNames": rule_names,
    "prefixItems": rule_prefix,
    "items": rule_items,
    "anyOf": rule_any,
    "oneOf": rule_one,
    "allOf": lambda v, w, s, r, p: [f for one in w for f in faults(v, one, r, p)],
    "not": lambda v, w, s, r, p: [] if faults(v, w, r, p) else ["%s: is what it must not be" % p],
    "pattern": lambda v, w, s, r, p: [] if not isinstance(v, str) or re.search(w, v) else ["%s: %r is not %s" % (p, v, w)],
    "minimum": compare("minimum", lambda v, w: v >= w),
    "maximum": compare("maximum", lambda v, w: v <= w),
    "exclusiveMinimum": compare("exclusiveMinimum", lambda v, w: v > w),
    "exclusiveMaximum": compare("exclusiveMaximum", lambda v, w: v < w),
    "minItems": count(list, "minItems", lambda n, w: n >= w),
    "maxItems": count(list, "maxItems", lambda n, w: n <= w),
    "minLength": count(str, "minLength", lambda n, w: n >= w),
    "maxLength": count(str, "maxLength", lambda n, w: n <= w),
    "minProperties": count(dict, "minProperties", lambda n, w: n >= w),
    "maxProperties": count(dict, "maxProperties", lambda n, w: n <= w),
    "uniqueItems": lambda v, w, s, r, p: [] if not w or not isinstance(v, list) or len({repr(i) for i in v}) == len(v)
    else ["%s: items are repeated" % p],
}
