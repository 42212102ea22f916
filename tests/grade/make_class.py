#!/usr/bin/env python3
"""make_class.py ROOT OUT COUNT SEED [PUZZLES] - a class whose marks are known before it is graded.

Writes OUT/submissions, and OUT/expected.tsv: student (percent-encoded), puzzle, the verdicts that are right. ROOT is the
project: right answers are its solutions, wrong ones its mutants. Two files in five end with their student's name, so that
no other is like them. Every attack of attacks.py is somebody's submission."""
import glob
import io
import os
import random
import re
import sys
import tarfile
import urllib.parse
import zipfile

import attacks


def puzzles_of(root):
    return sorted(os.path.basename(os.path.dirname(p)) for p in glob.glob(f"{root}/puzzles/*/check.c"))


def mutants_of(root, puzzle):
    """(source, verdicts) of each wrong answer on file."""
    for path in sorted(glob.glob(f"{root}/tests/mutants/{puzzle}/*.cu")):
        with open(path) as f:
            text = f.read()
        m = re.match(r"// expect: ([A-Z|]+)", text)
        if m:
            yield text, set(m.group(1).split("|"))


def answers(root, puzzle, rng):
    kind = rng.random()
    if kind < 0.62:
        return attacks.right(root, puzzle), {"PASS"}
    if kind < 0.90:
        return rng.choice(list(mutants_of(root, puzzle)) or [("", {"COMPILE"})])
    if kind < 0.95:
        return "", {"COMPILE"}
    return None, {"SKIP"}


def pack(path, files, how):
    if how == "zip":
        with zipfile.ZipFile(path + ".zip", "w", zipfile.ZIP_DEFLATED) as z:
            for name, text in files.items():
                z.writestr("hand-in/" + name, text)
    elif how == "tar":
        with tarfile.open(path + ".tar.gz", "w:gz") as t:
            for name, text in files.items():
                i = tarfile.TarInfo("./" + name)
                i.size = len(text.encode())
                t.addfile(i, io.BytesIO(text.encode()))
    else:
        os.mkdir(path)
        for name, text in files.items():
            attacks.put(path, name, text)


def honest(root, out, name, puzzles, rng):
    files, expect = {}, {}
    for p in puzzles:
        text, expect[p] = answers(root, p, rng)
        if text and rng.random() < 0.4:
            text += f"\n// {name}\n"
        if text is not None:
            files[f"{p}.cu" if rng.random() < 0.5 else f"{p}/puzzle.cu"] = text
    pack(os.path.join(out, name), files, rng.choice(["folder", "zip", "tar"]))
    return expect


def hostile(root, out, puzzles):
    """name -> {puzzle: verdicts}; the puzzles that are not attacked are solved where the form allows it."""
    result = {}
    for a in attacks.SOURCES:
        p = getattr(a, "puzzle", attacks.P1)
        files = {f"{q}.cu": attacks.right(root, q) for q in puzzles[:4] if q != p}
        expect = {q: {"PASS"} for q in puzzles[:4] if q != p}
        files[f"{p}.cu"], expect[p] = a(root), a.expect
        pack(os.path.join(out, "attack_" + a.__name__), files, "folder")
        result["attack_" + a.__name__] = expect
    for a in attacks.FOLDERS:
        folder = os.path.join(out, "attack_" + a.__name__)
        os.mkdir(folder)
        result["attack_" + a.__name__] = a(root, folder)
    for a in attacks.ARCHIVES:
        ending, data, expect = a(root)
        with open(os.path.join(out, "attack_" + a.__name__ + ending), "wb") as f:
            f.write(data)
        result["attack_" + a.__name__] = expect
    for name in attacks.NAMES:
        folder = os.path.join(os.fsencode(out), name)
        os.mkdir(folder)
        with open(os.path.join(folder, attacks.P1.encode() + b".cu"), "w") as f:
            f.write(attacks.right(root))
        result[name] = {attacks.P1: {"PASS"}}
    return result


def main():
    root, out, count, seed = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    puzzles = sys.argv[5].split(",") if len(sys.argv) > 5 else puzzles_of(root)
    rng = random.Random(seed)
    folder = os.path.join(out, "submissions")
    os.makedirs(folder)
    expected = hostile(root, folder, puzzles) if count >= 60 else {}
    for i in range(count - len(expected)):
        name = f"s{i:03d}"
        expected[name] = honest(root, folder, name, puzzles, rng)
    with open(os.path.join(out, "expected.tsv"), "w") as f:
        for name, marks in expected.items():
            for p in puzzles:
                verdicts = "|".join(sorted(marks.get(p, {"SKIP"})))
                f.write(f"{urllib.parse.quote_from_bytes(os.fsencode(name))}\t{p}\t{verdicts}\n")


if __name__ == "__main__":
    main()
