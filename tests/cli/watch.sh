#!/bin/bash
# The verb watch on a real terminal: tmux plays the learner's screen and keyboard. Works on a copy of the puzzles.
# Usage: tests/cli/watch.sh [path of the program]
set -u
program=$(realpath "${1:-build/warplings}")
if ! command -v tmux >/dev/null; then
  echo "SKIP  watch: tmux is not here, so watch was NOT tested (make setup installs it)"
  exit 0
fi
root=$(pwd)/build/tmp/watch-root
rm -rf "$root"
mkdir -p "$root"
cp -r puzzles solutions "$root/"
rm -f "$root"/puzzles/*/puzzle.cu*
passed=0
failed=0
socket=warplings-test-$$
mux() { tmux -L "$socket" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null' EXIT

ok() { passed=$((passed + 1)); }
bad() {
  failed=$((failed + 1))
  echo "FAIL  $1"
  screen | sed 's/^/      | /'
}
screen() { mux capture-pane -p -t w; }
# Waits up to 20 seconds for a text on the screen.
sees() {
  local i
  for i in $(seq 200); do
    if screen | grep -qF -- "$1"; then ok && return; fi
    sleep 0.1
  done
  bad "never on the screen: '$1'"
}
lacks() { if screen | grep -qF -- "$1"; then bad "on the screen: '$1'"; else ok; fi; }
key() { mux send-keys -t w "$@"; }
file() { echo "$root/puzzles/$1/puzzle.cu"; }
run() { key "$*" Enter; }
watch="$program watch --root $root"

mux new-session -d -s w -x 80 -y 24 "cd '$root' && PS1='ready> ' exec sh"
mux set-option -t w remain-on-exit on >/dev/null 2>&1
sees "ready>"
run stty -g ">before"

# ---- the untouched puzzle, then a wrong file, then a right one ----
run "$watch"
sees "01_lost_update"
sees "RACE"
sees "h hint"
cmp -s "$(file 01_lost_update)" "$root/puzzles/01_lost_update/skeleton.cu" && ok || bad "puzzle.cu is made"
echo "__global__ void broken(" >"$(file 01_lost_update)"
sees "COMPILE"
# An editor that writes beside and renames.
cp tests/mutants/01_lost_update/lane_0_only.cu "$root/puzzles/01_lost_update/.new"
mv "$root/puzzles/01_lost_update/.new" "$(file 01_lost_update)"
sees "WRONG"
lacks "COMPILE"
sees "replay  make check P=01 SEED=1"
cp tests/mutants/01_lost_update/stored_back.cu "$(file 01_lost_update)"
sees "RACE  global count"
sees "11 |     *count = before" # the saved file, not the one before

# ---- keys ----
key h
sees "of 3"
key l
sees "02_read_before_write"
lacks "of 3"
key NPage
key NPage
sees "Progress"
key l
sees "of 3"
key Escape
sees "race    FAIL"
lacks "of 3"

# ---- a window of another size ----
mux resize-window -t w -x 60 -y 40
sees "schedule converged, seed 1"
[ "$(screen | LC_ALL=C.UTF-8 grep -cE '.{61}')" = 0 ] && ok || bad "lines fit into 60 columns"
mux resize-window -t w -x 80 -y 12
sees "more line"
key j
sees "1 above"
mux resize-window -t w -x 80 -y 24

# ---- solved: what was learned, then any key ----
cp solutions/01_lost_update.cu "$(file 01_lost_update)"
sees "PASS"
sees "learned"
sees "Any key"
key x
sees "02_read_before_write"
sees "RACE"
grep -q "^01_lost_update .*verdict=PASS" "$root/.warplings/state" && ok || bad "the state says solved"
key n
sees "03_write_during_read"
# The file that is saved is the one that is judged.
cp solutions/02_read_before_write.cu "$(file 02_read_before_write)"
sees "02_read_before_write"
sees "Any key"
# Saved again and again: the last one counts.
for i in 1 2 3 4 5; do
  cp solutions/02_read_before_write.cu "$(file 02_read_before_write)"
  cp "$root/puzzles/02_read_before_write/skeleton.cu" "$(file 02_read_before_write)"
done
sees "race    FAIL"

# ---- the terminal is given back: q, Ctrl-C, TERM, a crash ----
given_back() { # given_back HOW
  run "stty -g >after; cmp before after && echo same-\$?-$1"
  sees "same-0-$1"
}
watching() {
  mux clear-history -t w
  run "clear; $watch"
  sees "q quit"
}
process() { pgrep -f "^$watch" | head -1; }
key q
sees "ready>"
sees "next: make watch"
given_back q
watching
key C-c
sees "ready>"
given_back ctrl-c
watching
kill -TERM "$(process)"
sees "ready>"
given_back term
watching
kill -SEGV "$(process)"
sees "ready>"
given_back crash
watching
key C-z
sees "ready>"
given_back ctrl-z
run fg
sees "q quit"
key q
sees "ready>"

# ---- no colour where none is wanted, ASCII where the locale has nothing else ----
run "clear; NO_COLOR=1 LC_ALL=C $watch"
sees "n next | l list"
[ "$(mux capture-pane -p -e -t w | grep -c "$(printf '\033')")" = 0 ] && ok || bad "NO_COLOR has no colours"
screen | LC_ALL=C grep -q '[^ -~]' && bad "not ASCII" || ok
key q

# ---- not a terminal ----
"$program" watch --root "$root" >"$root/out" 2>&1 </dev/null
[ $? = 2 ] && grep -q "needs a terminal" "$root/out" && ok || bad "without a terminal: status 2 and a word"
echo "watch: $passed passed, $failed failed"
[ "$failed" = 0 ]
