#!/bin/bash
# What editors rely on: .clangd lets clangd understand kernels without a CUDA toolkit; `check --editor` prints lines for
# problem matchers. Usage: tests/cli/editor.sh [path of the program]
set -u
program=$(realpath "${1:-build/warplings}")
root=$(pwd)/build/tmp/editor-root
rm -rf "$root"
mkdir -p "$root/puzzles" "$root/harness/compile"
cp -r puzzles/01_lost_update puzzles/20_syncwarp "$root/puzzles/"
cp -r harness/compile/include "$root/harness/compile/"
cp -r solutions .clangd "$root/"
passed=0
failed=0

ok() { passed=$((passed + 1)); }
bad() {
  failed=$((failed + 1))
  echo "FAIL  $1"
  sed 's/^/      | /' "$root/out" | tail -5
}

# ---- every header that a kernel may name is there for editors, too ----
: >"$root/out"
while read -r name; do
  [ -e "harness/compile/include/$name" ] || [ -e "harness/compile/include/editor/$name" ] && ok ||
    bad "$name is in headers.def and not in harness/compile/include/editor/"
done < <(sed -nE 's/^H\([a-z_]+, "([^"]+)", .*true\)$/\1/p' harness/compile/headers.def)

# ---- clangd ----
understands() { # understands FILE: no diagnostics of severity error
  (cd "$root" && clangd --check="$1" --check-lines=1-1) >"$root/out" 2>&1 && ok || bad "clangd does not understand $1"
}
if command -v clangd >/dev/null; then
  cp solutions/01_lost_update.cu "$root/puzzles/01_lost_update/puzzle.cu"
  understands puzzles/01_lost_update/puzzle.cu
  understands puzzles/20_syncwarp/skeleton.cu
  for s in 05 11 17 31 45; do understands "$(cd "$root" && echo solutions/${s}_*.cu)"; done
  printf '#include <stdio.h>\n#include <cooperative_groups.h>\n#include <cuda_runtime.h>\n#include <cstdint>\n' >"$root/solutions/includes.cu"
  echo '__global__ void k(int *p) { cooperative_groups::this_thread_block().sync(); printf("%d", *p); }' >>"$root/solutions/includes.cu"
  understands solutions/includes.cu
  echo "__global__ void k(int *p) { *p = nosuchname; }" >"$root/solutions/wrong.cu"
  (cd "$root" && clangd --check=solutions/wrong.cu --check-lines=1-1) >"$root/out" 2>&1
  grep -q "nosuchname" "$root/out" && ok || bad "clangd sees no error in a wrong file"
else
  echo "SKIP  editor: clangd is not here, so .clangd was NOT tested"
fi

# ---- file:line: error: lines, documented in docs/editors.md ----
cp tests/mutants/01_lost_update/stored_back.cu "$root/puzzles/01_lost_update/puzzle.cu"
"$program" check 01 --editor --root "$root" >"$root/out" 2>&1
grep -qE '^puzzles/01_lost_update/puzzle\.cu:[0-9]+: error: RACE: ' "$root/out" && ok || bad "no error line for a race"
grep -qE '^puzzles/01_lost_update/puzzle\.cu:[0-9]+: note: RACE: ' "$root/out" && ok || bad "no note for the other access"
cp tests/mutants/01_lost_update/lane_0_only.cu "$root/puzzles/01_lost_update/puzzle.cu"
"$program" check 01 --editor --root "$root" >"$root/out" 2>&1
grep -qE '^puzzles/01_lost_update/puzzle\.cu:1: error: WRONG: ' "$root/out" && ok || bad "no error line for a wrong value"
echo "__global__ void broken(" >"$root/puzzles/01_lost_update/puzzle.cu"
"$program" check 01 --editor --root "$root" >"$root/out" 2>&1
grep -qE '^puzzles/01_lost_update/puzzle\.cu:[0-9]+: error: ' "$root/out" && ok || bad "no error line for a compile error"
cp solutions/01_lost_update.cu "$root/puzzles/01_lost_update/puzzle.cu"
"$program" check 01 --editor --root "$root" >"$root/out" 2>&1
grep -qE ': (error|note): ' "$root/out" && bad "an error line for a right answer" || ok
echo "editor: $passed passed, $failed failed"
[ "$failed" = 0 ]
