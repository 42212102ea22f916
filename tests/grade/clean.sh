#!/bin/bash
# Every attack, in a mount and process namespace where nobody else changes anything: afterwards the tree, the home, /etc and
# the folders for temporary files must be what they were, byte for byte, and no process may be left.
# Usage: clean.sh PROGRAM WORK [SANDBOX]; needs root and unshare. Leaves the class in WORK/hostile, its results in WORK/h.
set -u
program=$1
work=$2
sandbox=${3:-bwrap}
puzzles=01_lost_update,02_read_before_write,07_barrier_in_branch,03_write_during_read
if [ "${WARPLINGS_CLEAN:-}" != inside ]; then
  unshare --mount --pid --fork --propagation private true 2>/dev/null || { echo "left out: the attacks' traces: no namespaces (needs root)"; exit 0; }
  export WARPLINGS_CLEAN=inside
  exec unshare --mount --pid --fork --mount-proc --propagation private "$0" "$program" "$work" "$sandbox"
fi
fail() { echo "FAIL  $*"; exit 1; }
mount -t tmpfs -o size=256m tmpfs /mnt && mkdir /mnt/class /mnt/tree /mnt/bin || fail "no place to work in"
mount --bind "$work" /mnt/class && mount --bind "$(dirname "$program")" /mnt/bin || fail "mount"
# A copy: whoever works in the tree meanwhile is no attack.
tar --exclude=./build --exclude=./.git --exclude=./.warplings -cf - . | tar -xf - -C /mnt/tree || fail "copy the tree"
cd /mnt/tree || exit 1
home=$HOME
for place in /tmp /var/tmp /dev/shm; do mount -t tmpfs -o mode=1777,size=64m tmpfs $place || fail "mount $place"; done
mount -t tmpfs -o mode=700,size=16m tmpfs "$home" || fail "mount $home"
mkdir "$home/.ssh" && echo key >"$home/.ssh/authorized_keys" && echo '# quiet' >"$home/.bashrc" && echo mine >/tmp/somebody
chmod 666 /tmp/somebody # an attack by another user may write it, were it not hidden
python3 tests/grade/make_class.py /mnt/tree /mnt/class/hostile 62 1 $puzzles || fail "make a hostile class"
printf 'title Attacks\nsecret of the tests only\nhidden 2\npuzzle 01\npuzzle 02\npuzzle 07\npuzzle 03\n' >/mnt/class/hostile/course
chmod -R a+rX /mnt/class/hostile 2>/dev/null
places="/tmp /var/tmp /dev/shm $home /etc /mnt/tree /mnt/bin /mnt/class/hostile"
python3 tests/grade/snapshot.py take /mnt/class/before $places || fail "snapshot"
/mnt/bin/warplings grade /mnt/class/hostile/submissions --out /mnt/class/h --course /mnt/class/hostile/course --sandbox "$sandbox" >/mnt/class/h.out 2>&1
status=$?
sleep 1 # what a daemon would do later
python3 tests/grade/snapshot.py take /mnt/class/after $places || fail "snapshot"
python3 tests/grade/snapshot.py compare /mnt/class/before /mnt/class/after || fail "an attack has left something (grade ended with $status)"
# Would it have been noticed?
python3 tests/grade/snapshot.py take /mnt/class/before $places
echo more >>"$home/.bashrc"
sleep 60 &
python3 tests/grade/snapshot.py take /mnt/class/after $places
seen=$(python3 tests/grade/snapshot.py compare /mnt/class/before /mnt/class/after)
kill $!
[[ $seen == *.bashrc* && $seen == *"came: 'process"* ]] || fail "a change goes unnoticed: $seen"
