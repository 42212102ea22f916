#!/bin/bash
# The learner's day from outside: a clone, a first try, hints, a solution, an upgrade by git pull, a reset. Works in a
# folder of its own. Usage: tests/cli/day.sh [path of the program]
set -u
program=$(realpath "${1:-build/warplings}")
here=$(pwd)
base=$here/build/tmp/day
rm -rf "$base"
mkdir -p "$base/upstream/puzzles" "$base/upstream/solutions"
cp -r puzzles/0[1-3]_* "$base/upstream/puzzles/"
cp solutions/0[1-3]_*.cu "$base/upstream/solutions/"
rm -f "$base"/upstream/puzzles/*/puzzle.cu*
cp .gitignore "$base/upstream/"
passed=0
failed=0

ok() { passed=$((passed + 1)); }
bad() {
  failed=$((failed + 1))
  echo "FAIL  $1"
  sed 's/^/      | /' "$base/out" | head -20
}
expect() { # expect STATUS WORDS...
  local want=$1 got
  shift
  "$program" "$@" >"$base/out" 2>&1 </dev/null
  got=$?
  if [ "$got" = "$want" ]; then ok; else bad "warplings $* ended with $got, not $want"; fi
}
has() { if grep -qE -- "$1" "$base/out"; then ok; else bad "the output has no '$1'"; fi; }
lacks() { if grep -qE -- "$1" "$base/out"; then bad "the output has '$1'"; else ok; fi; }
same() { if cmp -s "$1" "$2"; then ok; else bad "$3"; fi; }
git_() { git -c user.name=test -c user.email=test@example.org -c init.defaultBranch=main -c commit.gpgsign=false "$@"; }

with_git=yes
command -v git >/dev/null || with_git=no
if [ $with_git = yes ]; then
  (cd "$base/upstream" && git_ init -q && git_ add -A && git_ commit -qm one)
  git_ clone -q "$base/upstream" "$base/mine"
else
  echo "SKIP  day: git is not here, so an upgrade by git pull was NOT tested"
  cp -r "$base/upstream" "$base/mine"
fi
cd "$base/mine" || exit 2
mine=puzzles/02_read_before_write/puzzle.cu

# ---- nothing was done yet ----
expect 0 list
has "01_lost_update +untouched +-"
expect 1 next
has "01_lost_update"
expect 0 list
has "01_lost_update +untouched +RACE"

# ---- solving shows what was learned, once ----
cp solutions/01_lost_update.cu puzzles/01_lost_update/puzzle.cu
expect 2 check # the others' folders are not in here
has "learned"
expect 2 check
lacks "learned"
expect 0 check 01
has "learned"
expect 0 list
has "01_lost_update +solved +PASS"
has "1/[0-9]+"

# ---- next goes on behind what is solved ----
expect 1 next
has "02_read_before_write"
lacks "01_lost_update"
sed 's/__syncthreads/__syncwarp/' solutions/02_read_before_write.cu >$mine
expect 1 next
has "RACE"
expect 0 list
has "02_read_before_write +tried +RACE"

# ---- hints: the one tied to the verdict, once, then the numbered ones ----
printf '## If RACE\nThink of the warps.\n\n## If WRONG\nThink of the sum.\n' >>puzzles/02_read_before_write/hints.md
expect 0 hint 02
has "Think of the warps"
lacks "Think of the sum"
expect 0 hint 02
has "hint 1 of 3"
lacks "Think of"
expect 1 check 02
expect 0 hint 02
has "hint 2 of 3"
grep -q "told=RACE" .warplings/state && ok || bad "the state has told=RACE"

# ---- an upgrade: other skeletons for a file at work and for an untouched one ----
expect 1 check 03
cp $mine "$base/before"
cp .warplings/state "$base/state"
if [ $with_git = yes ]; then
  git_ checkout -q -- .
  (cd "$base/upstream" && for p in 02_read_before_write 03_write_during_read; do echo "// better" >>puzzles/$p/skeleton.cu; done && git_ commit -qam two)
  git_ pull -q --no-rebase --no-edit >"$base/out" 2>&1 && ok || bad "git pull"
  same "$base/state" .warplings/state "git pull leaves the progress alone"
  [ -z "$(git_ status --porcelain)" ] && ok || bad "git sees no file of the learner's"
else
  for p in 02_read_before_write 03_write_during_read; do echo "// better" >>puzzles/$p/skeleton.cu; done
fi
same "$base/before" $mine "the upgrade leaves a learner's file alone"
expect 0 list
has "^\* 02_read_before_write"
has "skeleton has changed"
lacks "^\* 03"
lacks "^\* 01"
expect 1 check 02
has "skeleton has changed"
has "make reset"
same "$base/before" $mine "check leaves a learner's file alone"
expect 1 check 03
lacks "skeleton has changed"
same puzzles/03_write_during_read/skeleton.cu puzzles/03_write_during_read/puzzle.cu "an untouched file follows its skeleton"
expect 2 check
has "skeleton has changed"
expect 1 check 02 --format json
lacks "skeleton has changed"

# ---- reset: the new skeleton, and the old file beside it ----
expect 0 reset 02
has "bak-1"
same "$base/before" $mine.bak-1 "reset keeps the file"
same puzzles/02_read_before_write/skeleton.cu $mine "reset gives the new skeleton"
expect 0 list
lacks "skeleton has changed"
has "02_read_before_write +untouched +-"
[ $with_git = no ] || { [ -z "$(git_ status --porcelain)" ] && ok || bad "git sees no backup"; }

# ---- a state of an older version is understood, a line that is damaged costs that line only ----
printf 'warplings 1\n01_lost_update skeleton=%016x verdict=PASS hints=2 tries=7\n02_read_before_write skeleton=zz\n' 1 >.warplings/state
expect 0 list
has "01_lost_update +solved +PASS"
expect 0 hint 01
has "hint 3 of 3"

# ---- selfcheck knows such sections ----
printf '## If SUNSHINE\nx\n' >>puzzles/03_write_during_read/hints.md
"$program" selfcheck 03 >"$base/out" 2>&1
has "FAIL .*hints.md: .*tied to a verdict"

# ---- everything solved ----
cp solutions/02_read_before_write.cu $mine
cp solutions/03_write_during_read.cu puzzles/03_write_during_read/puzzle.cu
"$program" check 01 02 03 >"$base/out" 2>&1
expect 0 list
for p in 01 02 03; do has "${p}_[a-z_]+ +solved +PASS"; done

cd "$here" || exit 2
echo "day: $passed passed, $failed failed"
[ "$failed" = 0 ]
