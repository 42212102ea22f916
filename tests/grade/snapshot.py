#!/usr/bin/env python3
"""snapshot.py take FILE PLACE... | compare BEFORE AFTER - has anything changed that an ordinary attack could reach?

Takes path, type, mode, owner, size, times of change and, up to 256 KiB, the contents' hash of everything below the places, and
every process but this one with its user, parent and session. Then says what came, went or changed. Meant for a mount and
process namespace of its own (clean.sh), where nobody else changes anything."""
import hashlib
import os
import stat
import sys

SMALL = 256 << 10


def look(path, s):
    line = [f"{stat.S_IFMT(s.st_mode):o}", f"{stat.S_IMODE(s.st_mode):o}", f"{s.st_uid}:{s.st_gid}", f"links:{s.st_nlink}"]
    if stat.S_ISREG(s.st_mode):
        line += [str(s.st_size), str(s.st_mtime_ns), str(s.st_ctime_ns)]
        if s.st_size <= SMALL:
            try:
                with open(path, "rb") as f:
                    line.append(hashlib.sha256(f.read()).hexdigest()[:16])
            except OSError as e:
                line.append(f"unreadable:{e.errno}")
    elif stat.S_ISLNK(s.st_mode):
        line.append(os.readlink(path))
    elif stat.S_ISDIR(s.st_mode):
        line.append(str(s.st_mtime_ns))
    return " ".join(line)


def walk(top, out):
    for folder, folders, files in os.walk(top):
        for path in [folder] + [os.path.join(folder, f) for f in files + folders if f in files or os.path.islink(os.path.join(folder, f))]:
            try:
                out[path] = look(path, os.lstat(path))
            except OSError as e:
                out[path] = f"error {e.errno}"


def processes(out):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            uid = os.stat(f"/proc/{pid}").st_uid
            with open(f"/proc/{pid}/stat") as f:
                parent, _, session = f.read().rsplit(")", 1)[1].split()[1:4]
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                words = f.read().replace(b"\0", b" ")[:60].decode(errors="replace")
        except OSError:
            continue
        if int(pid) != os.getpid():
            out[f"process {pid}"] = f"user {uid} parent {parent} session {session} {words}"


def main():
    what, rest = sys.argv[1], sys.argv[2:]
    if what == "take":
        out = {}
        for place in rest[1:]:
            walk(place, out)
        processes(out)
        with open(rest[0], "w") as f:
            for path in sorted(out):
                f.write(f"{path!a}\t{out[path]!a}\n")
        return 0
    before, after = (dict(line.rstrip("\n").split("\t") for line in open(p)) for p in rest)
    changes = [f"{'came' if p not in before else 'went' if p not in after else 'changed'}: {p} "
               f"{before.get(p, '')} -> {after.get(p, '')}"
               for p in sorted(before.keys() | after.keys()) if before.get(p) != after.get(p)]
    print("\n".join(changes[:40]) or f"{len(before)} files and processes, nothing changed")
    return bool(changes)


if __name__ == "__main__":
    sys.exit(main())
