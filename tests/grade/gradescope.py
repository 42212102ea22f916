#!/usr/bin/env python3
"""gradescope.py FILE... - results.json against a schema made from Gradescope's public autograder specification."""
import json
import sys

VISIBILITY = {"hidden", "after_due_date", "after_published", "visible"}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
number = lambda v: isinstance(v, (int, float)) and not isinstance(v, bool)
text = lambda v: isinstance(v, str)
TEST = {"score": number, "max_score": number, "status": lambda v: v in ("passed", "failed"), "name": text,
        "name_format": lambda v: v in FORMATS, "number": text, "output": text, "output_format": lambda v: v in FORMATS,
        "tags": lambda v: all(map(text, v)), "visibility": lambda v: v in VISIBILITY, "extra_data": lambda v: isinstance(v, dict)}
LEADER = {"name": text, "value": lambda v: number(v) or text(v), "order": lambda v: v in ("asc", "desc")}
TOP = {"score": number, "execution_time": number, "output": text, "output_format": lambda v: v in FORMATS,
       "test_output_format": lambda v: v in FORMATS, "test_name_format": lambda v: v in FORMATS,
       "visibility": lambda v: v in VISIBILITY, "stdout_visibility": lambda v: v in VISIBILITY,
       "extra_data": lambda v: isinstance(v, dict), "tests": lambda v: isinstance(v, list),
       "leaderboard": lambda v: isinstance(v, list)}


def fits(what, value, schema, required):
    for k in required:
        assert k in value, f"{what} has no {k}"
    for k, v in value.items():
        assert k in schema, f"{what}: nobody knows {k}"
        assert schema[k](v), f"{what}: {k} is {v!r}"


def unique(pairs):
    d = dict(pairs)
    assert len(d) == len(pairs), "a key stands twice"
    return d


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as f:
        r = json.load(f, object_pairs_hook=unique, parse_constant=lambda c: 1 / 0)
    fits(path, r, TOP, ["tests", "score"])
    for t in r["tests"]:
        fits(f"{path}: test", t, TEST, ["name"])
        assert t.get("score", 0) <= t.get("max_score", 0) + 1e-9
    for l in r.get("leaderboard", []):
        fits(f"{path}: leaderboard", l, LEADER, ["name", "value"])
    assert abs(sum(t.get("score", 0) for t in r["tests"]) - r["score"]) < 1e-3, f"{path}: the score is not the sum"
