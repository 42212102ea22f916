#!/usr/bin/env python3
"""compare.py EXPECTED GRADES - are the marks those that the generator knows? Reads grades.csv strictly."""
import csv
import sys
import urllib.parse

COLUMNS = ("assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,"
           "score,max_score,verdict,reason,wall_ms,backend,submission_sha256,grader_version").split(",")


def shown(name):
    """A student's name as the CSV has it: U+FFFD for what is no text, an apostrophe before a formula."""
    text = ""
    rest = urllib.parse.unquote_to_bytes(name)
    while rest:
        for n in (1, 2, 3, 4):
            try:
                text += rest[:n].decode()
                rest = rest[n:]
                break
            except UnicodeDecodeError:
                continue
        else:
            text += "\ufffd"
            rest = rest[1:]
    return ("'" if text.lstrip(" ")[:1] in ("=", "+", "-", "@") else "") + text


def main():
    with open(sys.argv[2], newline="", encoding="utf-8") as f:
        reader = csv.DictReader(f, strict=True)
        rows = list(reader)
    if reader.fieldnames != COLUMNS:
        sys.exit(f"columns: {reader.fieldnames}")
    got = {(r["student_id"], r["assignment"]): r for r in rows}
    if len(got) != len(rows):
        sys.exit("a student and puzzle stand twice")
    bad = checked = 0
    for line in open(sys.argv[1]):
        name, puzzle, verdicts = line.rstrip("\n").split("\t")
        r = got.pop((shown(name), puzzle), None)
        checked += 1
        if r is None:
            problem = "no line"
        elif r["verdict"] not in verdicts.split("|"):
            problem = f"{r['verdict']} instead of {verdicts}: {r['reason'][:200]!r}"
        elif float(r["score"] or -1) != (1.0 if r["verdict"] == "PASS" else 0.0):
            problem = f"{r['verdict']} earns {r['score']!r}"
        elif None in r or any(v is None for v in r.values()):
            problem = "a line of another length"
        else:
            continue
        bad += 1
        print(f"{name} {puzzle}: {problem}")
    for key in got:
        bad += 1
        print(f"{key}: not expected")
    print(f"{checked} marks compared, {bad} differ")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
