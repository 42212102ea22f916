#!/bin/bash
# A whole class, every puzzle: graded undisturbed, killed and started again, through GNU parallel and through Slurm. The
# marks must be those that are known, and the same each time. Usage: whole.sh PROGRAM [STUDENTS] [KILLS]; with 300 students
# half an hour on two cores.
set -u
program=$(realpath "$1")
students=${2:-300}
kills=${3:-20}
work=$(mktemp -d "${TMPDIR:-/tmp}/warplings-whole-XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
failed=0
bad() {
  failed=$((failed + 1))
  echo "FAIL  $1"
  tail -n 8 "$work/out" | sed 's/^/      | /'
}
. tests/grade/digest.sh
same() { if [ "$(digest "$work/a")" = "$(digest "$work/$1")" ]; then echo "$2: the same marks"; else bad "$2: other marks"; fi; }
grade() { "$program" grade "$work/class/submissions" --out "$work/$1" --course "$work/course" "${@:2}" >"$work/out" 2>&1; }

printf 'title Whole class\nsecret of the tests only\nhidden 2\n' >"$work/course"
python3 tests/grade/make_class.py "$PWD" "$work/class" "$students" 5 || exit 2

/usr/bin/env time -f '%e s, %M KB in the parent or a child' -o "$work/time" "$program" grade "$work/class/submissions" \
  --out "$work/a" --course "$work/course" >"$work/out" 2>&1 || bad "undisturbed: $?"
grep -E 'files judged' "$work/out"
tail -n 1 "$work/time"
python3 tests/grade/compare.py "$work/class/expected.tsv" "$work/a/grades.csv" || bad "marks differ from what is known"
[ -e /tmp/warplings-was-here ] && bad "something was written outside"

# Each time a random part of a twentieth of the whole.
part=$(awk -v n="$kills" 'END { print int($1 * 1000 / (n + 1)) }' "$work/time")
for i in $(seq "$kills"); do
  setsid "$program" grade "$work/class/submissions" --out "$work/k" --course "$work/course" >/dev/null 2>&1 &
  victim=$!
  sleep "$(awk -v p="$part" -v r=$RANDOM 'BEGIN { print (0.05 + r / 32768 * p * 1.6 / 1000) }')"
  kill -KILL $victim 2>/dev/null
  wait $victim 2>/dev/null
  [ $((i % 5)) = 0 ] && echo "kill $i: $(find "$work/k/records" -type f 2>/dev/null | wc -l) records"
done
grade k || bad "after $kills kills: $?"
grep -E 'files judged' "$work/out"
same k "killed $kills times"

if command -v parallel >/dev/null; then
  grade p --parallel --per-task 8 || bad "--parallel: $?"
  same p "GNU parallel"
else
  echo "left out: GNU parallel"
fi
tests/grade/slurm.sh "$program" "$work" class a 8 || failed=$((failed + 1))
sleep 0.5
for p in $(pgrep -f 'warplings-(vm|box)|^/program'); do
  grep -q "$work" "/proc/$p/cmdline" 2>/dev/null && bad "process $p was left behind"
done
[ "$failed" = 0 ]
