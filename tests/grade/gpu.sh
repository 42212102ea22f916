#!/bin/bash
# Grading with --backend gpu. Usage: gpu.sh PROGRAM [LIBRARY]
# Without LIBRARY: on the GPU that is here, all puzzles; where there is none, only what is said then. With LIBRARY, the driver
# whose GPU is our own machine (build/tests/gpu/vm_libcuda.so): a few puzzles, and GPUs that go wrong. Needs bash and awk.
set -u
program=$(realpath "${1:-build/warplings}")
library=${2:-}
root=$(pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/warplings-gpu-test-XXXXXX")
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
failed=0
bad() {
  failed=$((failed + 1))
  echo "FAIL  $1"
  tail -n 8 "$work/out" | sed 's/^/      | /'
}
puzzles=$(cd puzzles && ls -d [0-9]*)
[ -n "$library" ] && puzzles="01_lost_update 02_read_before_write 49_work_stealing"
mkdir -p "$work/class/ann" "$work/class/ben"
printf 'secret of the tests only\n' >"$work/course"
for p in $puzzles; do
  cp "$root/solutions/$p.cu" "$work/class/ann/"
  (cat "$root/solutions/$p.cu"; echo "// ben's own") >"$work/class/ben/$p.cu"
  echo "puzzle ${p%%_*}" >>"$work/course"
done
cp "$root/puzzles/02_read_before_write/skeleton.cu" "$work/class/ben/02_read_before_write.cu"
passes=$((2 * $(echo $puzzles | wc -w) - 1))

# grade RESULTS OPTIONS...: the exit status is the program's.
grade() {
  local results=$1
  shift
  "$program" grade "$work/class" --out "$work/$results" --course "$work/course" --sandbox $sandbox "$@" >"$work/out" 2>&1
}
sandbox=bwrap
if ! grade v; then
  echo "note: --sandbox uid, because: $(grep -m 1 warplings: "$work/out")"
  sandbox=uid
  rm -rf "$work/v"
  grade v || { bad "grading without a GPU ends with $?"; exit 1; }
fi
same_marks() { cmp -s "$work/v/matrix.csv" "$work/$1/matrix.csv" || bad "$2: other marks than the machine's"; }
count() { grep -c "$2" "$work/$1/grades.csv"; }

# ---- no GPU: said, and nothing else changes ----
WARPLINGS_CUDA_DRIVER=/nonexistent/libcuda.so grade none --backend gpu || bad "without a GPU grading ends with $?"
same_marks none "without a GPU"
[ "$(count none 'GPU: SKIP, no GPU here')" = $passes ] || bad "no GPU: $(count none 'GPU: SKIP') of $passes lines say so"
grep -q '^GPU: SKIP, no GPU here: no CUDA driver' "$work/out" || bad "no GPU: the end does not say it"
for f in junit.xml results.tap html/index.html; do
  grep -qi 'gpu.*SKIP, no GPU here' "$work/none/$f" || bad "no GPU: $f does not say it"
done

# ---- one that works ----
works() {
  start=$SECONDS
  grade "$1" --backend gpu
  status=$?
  if [ $status = 2 ] && [ ! -f "$work/$1/grades.csv" ]; then
    echo "left out: $1: $(grep -m 1 warplings: "$work/out")"
    return 1
  fi
  [ $status = 0 ] || bad "$1: grading ends with $status"
  if grep -q '^GPU: SKIP' "$work/out"; then
    echo "left out: $1: $(grep '^GPU: SKIP' "$work/out")"
    return 1
  fi
  same_marks "$1" "$1"
  [ "$(count "$1" 'GPU: ok')" = $passes ] || { bad "$1: $(count "$1" 'GPU: ok') of $passes are ok"; grep -v 'GPU: ok' "$work/$1/grades.csv" | cut -c 1-300; }
  [ "$(count "$1" ",vm+gpu+$sandbox,")" = $passes ] || bad "$1: the column backend"
  times=$(awk -F, 'NR > 1 && $6 > 0' "$work/$1/leaderboard.csv" | wc -l)
  [ "$times" = $passes ] || bad "$1: $times of $passes times in the leaderboard"
  grep -q '49_work_stealing, GPU ms' "$work/$1"/gradescope/ann*.json || bad "$1: Gradescope's leaderboard has no time"
  echo "$1: $passes files, sandbox $sandbox, $((SECONDS - start)) s; $(grep '^GPU:' "$work/out" | tail -n 1)"
  grade "$1" --backend gpu || bad "$1: a second run ends with $?"
  grep -q '^GPU: 0 files ran there' "$work/out" || bad "$1: a second run runs them again"
  return 0
}
if [ -z "$library" ]; then
  # A container may allow a GPU in none but the weaker sandboxes: the first one in which it works, and why not the others.
  for sandbox in bwrap uid none; do
    works real_$sandbox && break
    grep -q 'no GPU here' "$work/out" && break
  done
  [ -f "$work/real_$sandbox/leaderboard.csv" ] && awk -F, 'NR > 1 && $2 == 1 && $6 > 0 { printf "  %-28s %10.4f ms\n", $1, $6 }' "$work/real_$sandbox/leaderboard.csv"
else
  for kind in fine wrong crash flaky; do cp "$library" "$work/libcuda_$kind.so"; done
  chmod 755 "$work"/*.so
  WARPLINGS_CUDA_DRIVER=$work/libcuda_fine.so works fine
  # Machine and GPU disagree: open, no points lost, and told.
  WARPLINGS_CUDA_DRIVER=$work/libcuda_wrong.so grade wrong --backend gpu
  [ $? = 2 ] || bad "a GPU that is wrong: the status"
  [ "$(count wrong 'the GPU does not (WRONG)')" = $passes ] || bad "a GPU that is wrong: $(count wrong 'GPU does not') of $passes say so"
  awk -F, 'END { exit !($(NF - 2) == 0 && $(NF - 1) == 1) }' "$work/wrong/matrix.csv" || bad "a GPU that is wrong costs ben: $(tail -n 1 "$work/wrong/matrix.csv")"
  WARPLINGS_CUDA_DRIVER=$work/libcuda_crash.so grade crash --backend gpu || bad "a driver that crashes: $?"
  same_marks crash "a driver that crashes"
  WARPLINGS_CUDA_DRIVER=$work/libcuda_fine.so grade wrong --backend gpu || bad "after a GPU that was wrong: $?"
  same_marks wrong "after a GPU that was wrong"
fi
[ $failed = 0 ] && echo "gpu: all as it should be"
[ $failed = 0 ]
