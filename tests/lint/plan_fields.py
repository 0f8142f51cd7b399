#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No dead options: every field of struct plan is read outside plan/."""
import re

import lint

# Read by plan/ itself, on behalf of all.
IN_PLAN = {
    "compressed": "goes into the bytes of plan_encode_request()",
    "method": "becomes that of items without one",
    "headers": "goes into the bytes of plan_encode_request()",
    "data": "becomes body in plan_check()",
    "body": "becomes that of items without one",
    "files": "holds what body and the bodies of items point to",
    "userpass": "goes into the bytes of plan_encode_request()",
    "host": "goes into the bytes of plan_encode_request()",
    "encoded": "is the bytes of plan_encode_request()",
    "proxy_url": "is where route_find() begins",
    "connect_to": "is followed by route_find()",
    "resolve": "is followed by route_find()",
    "proxy_tunnel": "is what plan_tunnels() says",
    "items_given": "keeps plan_check() from making the items anew",
    "target_file": "decides where plan_check() takes the items from",
    "seed_given": "decides in plan_check() whether a seed is drawn",
}


def fields():
    code = lint.c_code((lint.ROOT / "src/plan/plan.h").read_text())
    body = re.search(r"struct plan \{(.*?)\n\};", code, re.S)[1]
    for declaration in body.split(";"):
        names = re.sub(r"^\s*(struct|enum)?\s*\w+", "", declaration, count=1)
        yield from re.findall(r"[*\s,](\w+)(?:\[\w+\])?(?=\s*(?:,|$))", " " + names)


def main():
    problems = []
    readers = [path for path in lint.files("src/*/*.[ch]") if path.parent.name != "plan"]
    code = "\n".join(lint.c_code(path.read_text()) for path in readers)
    inside = "\n".join(lint.c_code(path.read_text()) for path in lint.files("src/plan/*.c"))
    names = list(fields())
    for name in names:
        read = re.compile(rf"\bplan(->|\.){name}\b")
        if name in IN_PLAN:
            if not read.search(inside):
                problems.append(f"plan.h: '{name}' is excused as: {IN_PLAN[name]}; nothing does")
        elif not read.search(code):
            problems.append(f"plan.h: nothing outside plan/ reads '{name}'")
    problems.extend(f"plan_fields.py: struct plan has no field '{name}'"
                    for name in IN_PLAN if name not in names)
    lint.verdict(problems, len(names), "fields")


main()
