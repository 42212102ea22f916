#!/bin/bash
# The grader from outside: a class whose marks are known, graded whole, interrupted, twice at once, through other engines,
# on a full disk, with less of a sandbox. Usage: tests/grade/run.sh [PROGRAM] [quick|all] (all: every attack, 20 kills,
# Slurm; some minutes). Needs python3; what else is missing is said and left out.
set -u
program=$(realpath "${1:-build/warplings}")
how=${2:-quick}
root=$(pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/warplings-grade-test-XXXXXX")
passed=0
failed=0
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

ok() { passed=$((passed + 1)); }
bad() {
  failed=$((failed + 1))
  echo "FAIL  $1"
  [ -f "$work/out" ] && tail -n 12 "$work/out" | sed 's/^/      | /'
}
check() { if "${@:2}" >"$work/out" 2>&1; then ok; else bad "$1"; fi; }
left_out() { echo "left out: $1"; }
marks() { check "marks of $1" python3 "$root/tests/grade/compare.py" "$work/$2/expected.tsv" "$work/$1/grades.csv"; }
# grade RESULTS CLASS OPTIONS...: into $work/out; the exit status is the program's.
grade() {
  local results=$1 class=$2
  shift 2
  "$program" grade "$work/$class/submissions" --out "$work/$results" --course "$work/course" "$@" >"$work/out" 2>&1
}
. tests/grade/digest.sh
same() { if [ "$(digest "$work/$1")" = "$(digest "$work/$2")" ]; then ok; else bad "$1 and $2 have different marks"; fi; }

command -v python3 >/dev/null || { left_out "the grader's tests: no python3"; exit 0; }
mkdir "$work/empty"
if ! "$program" grade "$work/empty" --out "$work/x" 2>&1 | grep -q 'no submission'; then
  left_out "the grader's tests: $("$program" grade "$work/empty" --out "$work/x" 2>&1 | head -1)"
  exit 0
fi
sandbox=bwrap
command -v bwrap >/dev/null || { left_out "bubblewrap: not installed, the class is graded with --sandbox uid"; sandbox=uid; }

# ---- a small class, undisturbed ----
puzzles=01_lost_update,02_read_before_write,07_barrier_in_branch
printf 'title Test\nsecret of the tests only\nhidden 2\npuzzle 01\npuzzle 02\npuzzle 07\n' >"$work/course"
check "make a class" python3 tests/grade/make_class.py "$root" "$work/small" $([ "$how" = all ] && echo 12 || echo 6) 5 $puzzles
grade a small --sandbox $sandbox || bad "grading ends with $?"
marks a small
[ -e /tmp/warplings-was-here ] && bad "something was written outside"
grade a small --sandbox $sandbox
grep -q '^0 files judged' "$work/out" && ok || bad "a second run judges again"

# ---- formats ----
formats() {
  check "JUnit is XML" python3 -c "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])" "$work/$1/junit.xml"
  for schema in ant jenkins; do
    command -v xmllint >/dev/null || { left_out "JUnit's schemas: no xmllint"; break; }
    check "JUnit against $schema's XSD" xmllint --noout --schema tests/grade/junit_$schema.xsd "$work/$1/junit.xml"
  done
  check "Gradescope's JSON" python3 tests/grade/gradescope.py "$work/$1"/gradescope/*.json
  check "TAP 14" python3 tests/grade/tap.py "$work/$1/results.tap"
  if command -v prove >/dev/null; then
    # Perl's prove knows versions to 13, which 14 contains: nothing that we write is new in 14.
    sed "1s/14/13/" "$work/$1/results.tap" >"$work/results.tap"
    prove --exec cat "$work/results.tap" >"$work/out" 2>&1 || true # failed tests are what it is about
    grep -q 'Parse errors' "$work/out" && bad "prove cannot parse the TAP" || ok
  else
    left_out "TAP through prove"
  fi
  check "HTML" python3 tests/grade/pages.py "$work/$1/html"
  chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
  if [ -n "$chromium" ]; then
    page=$work/$1/html/index.html
    timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$work/chromium" --dump-dom "file://$page" \
      >"$work/out" 2>"$work/chromium.err"
    # What the browser made of it: as many rows as there are students, and no script.
    rows=$(grep -o '<tr>' "$work/out" | wc -l)
    students=$(ls "$work/$1/gradescope" | wc -l)
    [ "$rows" = $((students + 1)) ] && ! grep -qi '<script' "$work/out" && ok || bad "Chromium shows $rows rows for $students students"
  else
    left_out "HTML in Chromium: NOT RUN"
  fi
}
formats a
if command -v xmllint >/dev/null; then
  "$program" check 01 02 --source solutions --format junit >"$work/check.xml"
  for schema in ant jenkins; do
    check "JUnit of check against $schema's" xmllint --noout --schema tests/grade/junit_$schema.xsd "$work/check.xml"
  done
fi
if command -v sqlite3 >/dev/null; then
  n=$(sqlite3 "$work/a/gradebook.sqlite" 'select count(*) from result where share <= 1' 2>&1)
  [ "$n" -gt 10 ] && ok || bad "the grade book has '$n' rows"
  has=$(sqlite3 "$work/a/gradebook.sqlite" "select name || ' ' || type from pragma_table_info('result')" | sort)
  says=$(sed -n '/^CREATE TABLE result/,/^);/p' docs/instructor.md | sed 's/--.*//' | grep -oE '[a-z0-9_]+ (TEXT|INTEGER|REAL)' | sort)
  [ -n "$has" ] && [ "$has" = "$says" ] && ok || bad "the grade book has other columns than docs/instructor.md"
fi

# ---- the same file of several students ----
grade n small --sandbox $sandbox --no-reuse || bad "--no-reuse ends with $?"
grep -qE '^[1-9][0-9]* files judged, 0 the same' "$work/out" && ok || bad "--no-reuse uses again"
same a n
mkdir -p "$work/twins/submissions/ann" "$work/twins/submissions/ben"
for s in ann ben; do cp solutions/01_lost_update.cu "$work/twins/submissions/$s/"; done
cp puzzles/02_read_before_write/skeleton.cu "$work/twins/submissions/ann/02_read_before_write.cu"
(cat puzzles/02_read_before_write/skeleton.cu; echo '// ben') >"$work/twins/submissions/ben/02_read_before_write.cu"
ln -s /etc/passwd "$work/twins/submissions/ann/07_barrier_in_branch.cu" # refused; it has the hash of an empty file
: >"$work/twins/submissions/ben/07_barrier_in_branch.cu"
for way in "" --no-reuse; do
  grade "t$way" twins --sandbox $sandbox $way || bad "twins $way end with $?"
  [ "$(ls -d "$work/t$way"/records/*/01* | wc -l)" = 2 ] && ok || bad "twins $way share a record"
  grep -lq ben "$work/t$way"/html/ann*.html "$work/t$way"/gradescope/ann*.json && bad "ann's page speaks of ben" || ok
done
same t t--no-reuse
[ "$(ls "$work/t/shared" | wc -l)" = 1 ] && ok || bad "shared: $(ls "$work/t/shared")"

# ---- a roster, lateness, attempts ----
mkdir -p "$work/late/submissions/alice@2026-01-01T12:00/" "$work/late/submissions/alice@2026-01-02T12:00" "$work/late/submissions/bob@2026-01-03T09:00"
cp solutions/01_lost_update.cu "$work/late/submissions/alice@2026-01-01T12:00/"
cp puzzles/01_lost_update/skeleton.cu "$work/late/submissions/alice@2026-01-02T12:00/01_lost_update.cu"
cp solutions/01_lost_update.cu "$work/late/submissions/bob@2026-01-03T09:00/"
printf 'student_id,last_name,email\nalice,"A, B",a@x\nbob,B,b@x\ncarol,C,c@x\n' >"$work/roster.csv"
course='secret of the tests only\ndeadline 2026-01-02T09:00\nlate 10%% a day, 3 days\nroster roster.csv\npuzzle 01 points=10 race=50%%\n'
mark() { python3 -c "import csv,sys; print(*[r['score'] + '/' + r['late_submission_penalty'] + '/' + r['last_name'] for r in csv.DictReader(open(sys.argv[1]))])" "$work/$1/grades.csv"; }
for way in latest best; do
  printf "attempts $way\n$course" >"$work/late.txt"
  "$program" grade "$work/late/submissions" --out "$work/late_$way" --course "$work/late.txt" --sandbox $sandbox >"$work/out" 2>&1 || bad "attempts $way"
done
# The skeleton races; its values are right under the usual order or not, that is the machine's affair.
case $(mark late_latest) in
"0.0000/0.0000/A, B 9.0000/1.0000/B 0.0000/0.0000/C" | "4.5000/0.5000/A, B 9.0000/1.0000/B 0.0000/0.0000/C") ok ;;
*) bad "latest: $(mark late_latest)" ;;
esac
[ "$(mark late_best)" = "10.0000/0.0000/A, B 9.0000/1.0000/B 0.0000/0.0000/C" ] && ok || bad "best: $(mark late_best)"

# ---- two at once ----
rm -rf "$work/b"
"$program" grade "$work/small/submissions" --out "$work/b" --course "$work/course" --sandbox $sandbox >"$work/first" 2>&1 &
first=$!
for _ in $(seq 100); do [ -e "$work/b/manifest" ] && break; sleep 0.05; done
if grade b small --sandbox $sandbox; then
  kill -0 $first 2>/dev/null && bad "two graders on one folder"
else
  grep -q 'another grader' "$work/out" && ok || bad "the second grader says something else"
fi
wait $first
same a b

# ---- killed ----
kills=3
[ "$how" = all ] && kills=20
rm -rf "$work/c"
for i in $(seq $kills); do
  setsid "$program" grade "$work/small/submissions" --out "$work/c" --course "$work/course" --sandbox $sandbox >/dev/null 2>&1 &
  victim=$!
  sleep "$(printf '0.%03d' $((RANDOM % 900 + 50)))"
  kill -KILL $victim 2>/dev/null
  wait $victim 2>/dev/null
done
grade c small --sandbox $sandbox
same a c
sleep 0.3
if pgrep -f "^(/program|.*warplings-(vm|box))" >"$work/out"; then
  for p in $(cat "$work/out"); do # other people's gradings are none of ours
    grep -q "$work" "/proc/$p/cmdline" 2>/dev/null && bad "process $p was left behind"
  done
fi

# ---- other engines ----
if command -v parallel >/dev/null; then
  grade d small --sandbox $sandbox --parallel --per-task 3 || bad "--parallel ends with $?"
  same a d
else
  left_out "GNU parallel"
fi

# ---- tasks that an engine loses ----
mkdir "$work/fake"
printf '#!/bin/sh\nexit 3\n' >"$work/fake/parallel"
chmod +x "$work/fake/parallel"
PATH=$work/fake:$PATH grade f small --sandbox $sandbox --parallel || bad "lost tasks: $?"
grep -q ', [1-9][0-9]* submissions tried again' "$work/out" && ok || bad "lost tasks are not reported"
same a f

# ---- refusals ----
grade nowhere nosuchclass
grep -q 'cannot open this folder' "$work/out" && ok || bad "a class that is not there"
(PATH=/usr/bin:/bin; "$program" grade-one "$work/a/manifest" 99 "$work/a") >"$work/out" 2>&1
grep -q 'no index' "$work/out" && ok || bad "an index that is not there"
head -c 200 "$work/a/manifest" >"$work/cut"
"$program" grade-one "$work/cut" 0 "$work/a" >"$work/out" 2>&1
grep -q 'whole manifest' "$work/out" && ok || bad "half a manifest"

# ---- a damaged record is judged again ----
record=$(ls "$work"/a/records/*/0* | head -1)
printf x >>"$record"
grade a small --sandbox $sandbox
grep -qE '^(1 files judged, 0|0 files judged, 1) the same' "$work/out" && ok || bad "a damaged record counts"
same a b

# ---- less of a sandbox ----
for s in uid none; do
  [ $s = uid ] && [ "$(id -u)" != 0 ] && continue
  grade "s_$s" small --sandbox $s || bad "--sandbox $s ends with $?"
  marks "s_$s" small
  for f in html/index.html "gradescope/$(ls "$work/s_$s/gradescope" | head -1)"; do
    grep -q ': limits' "$work/s_$s/$f" && ok || bad "$f does not say which sandbox"
  done
  for f in grades.csv:vm+$s junit.xml:"name=\"sandbox\" value=\"$s\"" results.tap:"# sandbox: $s"; do
    grep -q "${f#*:}" "$work/s_$s/${f%%:*}" && ok || bad "${f%%:*} does not say which sandbox"
  done
done

# ---- no namespaces: a bubblewrap that is refused them ----
if [ $sandbox = bwrap ] && unshare --mount --propagation private true 2>/dev/null; then
  printf '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n' >"$work/fake/bwrap"
  chmod +x "$work/fake/bwrap"
  unshare --mount --propagation private sh -c 'mount --bind "$1" /usr/bin/bwrap && shift && exec "$@"' sh "$work/fake/bwrap" \
    "$program" grade "$work/small/submissions" --out "$work/m" --course "$work/course" >"$work/out" 2>&1 && bad "grades without namespaces"
  grep -q 'where namespaces are not to be had, --sandbox uid or --sandbox none' "$work/out" && [ ! -e "$work/m/grades.csv" ] && ok ||
    bad "without namespaces it says something else"
else
  left_out "missing namespaces: needs root and bubblewrap"
fi

# ---- an ordinary user ----
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && [ $sandbox = bwrap ]; then
  mkdir -m 777 "$work/user" "$work/bin"
  cp "$(dirname "$program")"/warplings* "$work/bin/"
  chmod -R a+rX "$work/bin" "$work/small" "$work/course"
  (cd "$work/user" && setpriv --reuid=61180 --regid=61180 --clear-groups \
    "$work/bin/warplings" grade "$work/small/submissions" --out "$work/user/results" --course "$work/course") \
    >"$work/out" 2>&1 || bad "as an ordinary user"
  cp -r "$work/user/results" "$work/e"
  same a e
fi

# ---- a full disk ----
if [ "$(id -u)" = 0 ] && mkdir "$work/disk" && mount -t tmpfs -o size=120k tmpfs "$work/disk" 2>/dev/null; then
  grade disk/results small --sandbox $sandbox && bad "a full disk goes unnoticed"
  grep -q 'No space left\|disk is full' "$work/out" && ok || bad "a full disk is not named"
  mount -o remount,size=30m "$work/disk"
  grade disk/results small --sandbox $sandbox || bad "no way on after a full disk"
  same a disk/results
  umount "$work/disk"
else
  left_out "a full disk: needs root and mount"
fi

[ "$how" = all ] && { tests/grade/slurm.sh "$program" "$work" small a || failed=$((failed + 1)); }

# ---- no GPU ----
WARPLINGS_CUDA_DRIVER=/nonexistent/libcuda.so grade g small --sandbox $sandbox --backend gpu || bad "--backend gpu without a GPU ends with $?"
same a g
grep -q '^GPU: SKIP, no GPU here: no CUDA driver' "$work/out" && ok || bad "a GPU that is not there is not named"

tests/grade/hands.sh "$program" $sandbox || failed=$((failed + 1))

# ---- every attack, and what it leaves ----
if [ "$how" = all ]; then
  tests/grade/clean.sh "$program" "$work" $sandbox || failed=$((failed + 1))
  if [ -d "$work/h" ]; then
    marks h hostile
    [ -e /tmp/warplings-was-here ] && bad "something was written outside"
    grep -rlq 'root:x:0' "$work/h" && bad "/etc/passwd is in the results" || ok
    [ "$(stat -c %s "$work/h/grades.csv")" -lt 1000000 ] && ok || bad "the results are enormous"
    formats h
  fi
fi

echo "grade: $passed passed, $failed failed"
[ $failed = 0 ]
