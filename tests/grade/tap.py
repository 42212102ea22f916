#!/usr/bin/env python3
"""tap.py FILE - TAP version 14, read strictly: version line, plan, test points in order, escapes, YAML blocks."""
import re
import sys

POINT = re.compile(r"(not )?ok (\d+) - ((?:[^\\#]|\\[\\#])*?)(?: # (SKIP|TODO)(?: .*)?)?$")


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as f:
        text = f.read()
    assert "\r" not in text and text.endswith("\n"), "lines end in \\n"
    lines = text[:-1].split("\n")
    assert lines[0] == "TAP version 14", f"the first line is {lines[0]!r}"
    plan = re.fullmatch(r"1\.\.(\d+)( # SKIP .*)?", lines[1])
    assert plan, f"the plan is {lines[1]!r}"
    seen, block, last_failed = 0, None, False
    for at, line in enumerate(lines[2:], 3):
        if block is not None:
            if line == "  ...":
                assert any(l.startswith("  message: ") for l in block), f"line {at}: a block without a message"
                block = None
            else:
                assert line.startswith("  "), f"line {at}: a block that is not indented: {line!r}"
                block.append(line)
            continue
        if line == "  ---":
            assert last_failed, f"line {at}: a block behind no failed point"
            block = []
            continue
        last_failed = False
        if line.startswith("#"):
            continue
        m = POINT.match(line)
        assert m, f"line {at} is nothing that TAP 14 knows: {line!r}"
        seen += 1
        assert int(m[2]) == seen, f"line {at}: point {m[2]} instead of {seen}"
        last_failed = bool(m[1])
    assert block is None, "a block does not end"
    assert seen == int(plan[1]), f"{seen} points, {plan[1]} planned"
    print(f"{seen} points")


if __name__ == "__main__":
    main()
