#!/bin/bash
# The program from outside: exit statuses, formats, the learner's files. Works on a copy of the puzzles, so that
# nobody's progress is touched. Usage: tests/cli/run.sh [path of the program]
set -u
program=$(realpath "${1:-build/warplings}")
root=$(pwd)/build/tmp/cli-root
rm -rf "$root"
mkdir -p "$root"
cp -r puzzles solutions "$root/"
rm -f "$root"/puzzles/*/puzzle.cu*
cd "$root" || exit 2
passed=0
failed=0

ok() { passed=$((passed + 1)); }
bad() {
  failed=$((failed + 1))
  echo "FAIL  $1"
  sed 's/^/      | /' out | head -20
}
# expect STATUS WORDS...: the program ends with that status.
expect() {
  local want=$1 got
  shift
  "$program" "$@" >out 2>&1 </dev/null
  got=$?
  if [ "$got" = "$want" ]; then ok; else bad "warplings $* ended with $got, not $want"; fi
}
# has TEXT / lacks TEXT: in the output of the last expect.
has() { if grep -qF -- "$1" out; then ok; else bad "the output has no '$1'"; fi; }
lacks() { if grep -qF -- "$1" out; then bad "the output has '$1'"; else ok; fi; }
# json EXPRESSION: true of the output as j; left out where there is no python3.
json() {
  command -v python3 >/dev/null || return 0
  if python3 -c "import json,sys; j=json.load(open('out')); sys.exit(0 if ($1) else 1)" 2>/dev/null; then ok; else bad "not so: $1"; fi
}

# ---- usage ----
expect 0 --help
expect 0 --version
expect 0 exec --help
has --blocks-per-sm
expect 2
expect 2 nosuchverb
expect 2 check --nosuchoption
expect 2 check 99_nosuch
expect 2 check --seed x
export WARPLINGS_CUDA_DRIVER=/nonexistent/libcuda.so.1
expect 0 check 01 --source solutions --backend gpu
has "SKIP"
has "no CUDA driver"
# A driver that runs nothing: what the machine has proved comes out wrong there; what it rejects never gets there.
${CC:-cc} -std=gnu11 -shared -fPIC -I../../../harness -o fake_libcuda.so ../../../tests/gpu/fake_libcuda.c || bad "the fake driver does not compile"
export WARPLINGS_CUDA_DRIVER=$root/fake_libcuda.so
expect 0 doctor
has "Fake GPU, sm_90"
expect 1 check 01 --source solutions --backend gpu
has "WRONG"
has "GPU run FAIL, Fake GPU"
has "BACKEND=gpu"
mkdir racy && cp puzzles/01*/skeleton.cu racy/01_lost_update.cu
expect 1 check 01 --source racy --backend gpu
has "RACE"
lacks "GPU run"
export FAKE_CUDA=nodevice
expect 0 check 01 --source solutions --backend gpu
has "no GPU"
unset WARPLINGS_CUDA_DRIVER FAKE_CUDA
expect 2 check --source nosuchfolder
expect 2 check --format csv

# ---- the learner's way ----
expect 1 check 01
has "[01/"
has "replay  make check P=01 SEED=1"
has "puzzles/01_lost_update/puzzle.cu:"
has "docs/findings.md#race"
cmp -s puzzles/01_lost_update/puzzle.cu puzzles/01_lost_update/skeleton.cu && ok || bad "puzzle.cu is the skeleton"
mv out first
expect 1 check 01
cmp -s out first && ok || bad "two runs with one seed print other bytes"
expect 1 check lost
expect 1 check 1 01_lost_update
expect 1 next
has 01_lost_update
expect 2 solution 01
has "untouched"
expect 0 hint 01
has "hint 1 of 3"
expect 0 hint 01
expect 0 hint 01
has "hint 3 of 3"
expect 0 hint 01
has "hint 3 of 3"
expect 0 hint
has "hint 3 of 3"
cp solutions/01_lost_update.cu puzzles/01_lost_update/puzzle.cu
expect 0 check 01
has PASS
has "learned"
has "1/"
expect 0 list
has solved
expect 1 next
lacks "] 01_lost_update"
expect 0 solution 01
echo "int broken(" >puzzles/01_lost_update/puzzle.cu
expect 1 check 01
has COMPILE
has broken
expect 0 reset 01
has bak-1
cmp -s puzzles/01_lost_update/puzzle.cu puzzles/01_lost_update/skeleton.cu && ok || bad "reset gives the skeleton"
grep -q broken puzzles/01_lost_update/puzzle.cu.bak-1 && ok || bad "reset keeps a backup"
echo "// mine" >>puzzles/01_lost_update/puzzle.cu
echo "garbage" >.warplings/state
expect 1 check 01
tail -1 puzzles/01_lost_update/puzzle.cu | grep -q mine && ok || bad "a damaged state costs no file"

# ---- whatever may stand in place of a file is never a pass, and never stops the others ----
rm puzzles/01_lost_update/puzzle.cu && mkdir puzzles/01_lost_update/puzzle.cu
expect 2 check 01 02
has INTERNAL
has "02_read_before_write"
rmdir puzzles/01_lost_update/puzzle.cu
: >puzzles/01_lost_update/puzzle.cu
expect 1 check 01
has COMPILE
rm -rf puzzles/01_lost_update/puzzle.cu .warplings

# ---- other sources and formats ----
expect 0 check --source solutions
lacks Progress
[ -e puzzles/02_read_before_write/puzzle.cu ] && [ ! -e puzzles/03_write_during_read/puzzle.cu ] && ok || bad "--source makes no files"
expect 0 check --source solutions --format json --jobs 1
json "j['passed'] == j['judged'] == len(j['puzzles'])"
json "all(p['verdict'] == 'PASS' and p['evidence']['schedules'] >= 12 and p['milliseconds'] >= 0 for p in j['puzzles'])"
mkdir one && cp solutions/02_*.cu one/
expect 0 check --source one --format json
json "sorted(set(p['verdict'] for p in j['puzzles'])) == ['PASS', 'SKIP']"
expect 2 check 01 --source one
mkdir empty
expect 2 check --source empty
expect 1 check 01 02 --format json
json "[p['id'] for p in j['puzzles']] == ['01_lost_update', '02_read_before_write']"
json "j['puzzles'][0]['verdict'] == 'RACE' and len(j['puzzles'][0]['findings'][0]['accesses']) == 2"
expect 1 check 01 --format junit
has 'tests="1" failures="1"'
expect 1 check 01 --format tap
has "not ok 1 - 01_lost_update"
expect 1 check 01 --editor
has "puzzles/01_lost_update/puzzle.cu:15: error: RACE: "

# ---- exec ----
cat >k.cu <<'K'
#include <stdio.h>
__global__ void twice(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * 2;
  if (i == 3) printf("seen %d\n", in[i]);
}
K
cat >race.cu <<'K'
__global__ void k(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
K
args="--grid 2 --block 32 --arg buf:i32:40:iota --arg buf:i32:40 --arg i32:39"
expect 0 exec k.cu $args --dump 1:3 --format json
json "j['verdict'] == 'PASS' and j['schedules'] == 64 and j['printed'] == 'seen 3\n'"
json "j['dumps'][0]['values'] == [0, 2, 4] and j['counters']['global_stores'] == 39"
expect 0 exec k.cu $args --dump 1 --build both
has "74 76 -"
expect 0 exec k.cu $args --schedule split --kernel twice --counters
has "1 schedule"
has "SM 0 "
has "cycles of the cost model"
expect 0 exec k.cu $args --counters --sms 2 --cost global=1000,arithmetic=1 --format json
json "len(j['time_line']['sms']) == 2 and 1000 < j['counters']['makespan'] == j['time_line']['makespan'] < 3000"
expect 2 exec k.cu $args --counters --cost global=0
expect 2 exec k.cu $args --counters --cost nosuch=3
expect 1 exec k.cu --grid 2 --block 32 --arg buf:i32:40:iota --arg buf:i32:8 --arg i32:39 --format json
json "j['verdict'] == 'BOUNDS' and j['findings'][0]['object'] == 'out' and j['findings'][0]['accesses'][0]['line'] == 4"
expect 1 exec race.cu --grid 1 --block 64 --arg buf:i32:64 --format json
json "j['verdict'] == 'RACE' and j['findings'][0]['object'] == 'tile' and j['findings'][0]['space'] == 'shared'"
json "sorted(a['line'] for a in j['findings'][0]['accesses']) == [3, 4]"
expect 2 exec k.cu --grid 1 --block 32
has "takes 3 parameters"
has "It wants: --arg buf:i32:COUNT [in] --arg buf:i32:COUNT [out] --arg i32:VALUE [n]"
expect 2 exec k.cu --grid 1 --block 32 --arg buf:f32:40 --arg buf:i32:40 --arg i32:39
has "parameter 0, int const* in, of twice(int const*, int*, int): it takes buf:i32:COUNT"
expect 0 exec k.cu --grid 1 --block 32 --arg buf:u8:160:zero --arg buf:u32:40 --arg i32:20

# values: expected ones, files, what differs between schedules
expect 0 exec k.cu $args --expect 1=0,2,4,6 --build both
has "values  ok     as expected"
expect 1 exec k.cu $args --expect 1=0,2,4*2 --format json
json "j['verdict'] == 'WRONG' and j['findings'][0]['element'] == 3 and j['findings'][0]['object'] == 'out'"
expect 1 exec k.cu $args --expect 1=0,2,4,6,8*36
has "out[5] is 10; --expect says 8."
expect 1 exec k.cu --grid 2 --block 32 --arg buf:i32:40:iota --arg buf:i32:40 --arg i32:3 --expect 1=0,2,4,6
has "out[3] was never written; --expect says 6."
expect 1 exec k.cu --grid 2 --block 32 --arg buf:i32:40 --arg buf:i32:40 --arg i32:3 --expect 1=0 --format json
json "j['verdict'] == 'UNINIT'"
printf '\1\0\0\0\2\0\0\0\3\0\0\0' >in.bin
printf '\2\0\0\0\4\0\0\0\6\0\0\0' >ref.bin
expect 0 exec k.cu --grid 1 --block 3 --arg buf:i32:@in.bin --arg buf:i32:3 --arg i32:3 --expect 1=@ref.bin
expect 2 exec k.cu --grid 1 --block 32 --arg buf:i32:4:@in.bin --arg buf:i32:3 --arg i32:3
has "3 elements of type i32, not 4"
expect 2 exec k.cu --grid 1 --block 32 --arg buf:i64:@in.bin --arg buf:i32:3 --arg i32:3
has "12 bytes are no whole number of i64"
expect 2 exec k.cu $args --expect 1=1..41
expect 2 exec k.cu $args --expect 2=1
has "parameter 2 is not a buffer"
expect 2 exec k.cu --grid 1 --block 32 --arg buf:i32:4:=1,2,x --arg null --arg i32:0
has "value 3, 'x', is not of type i32"
expect 2 exec k.cu --grid 1 --block 32 --arg buf:i32:4:=1*2,3..9 --arg null --arg i32:0
has "more than 4 values for as many elements, from '3..9' on"
expect 2 exec k.cu $args --tolerance x
cat >order.cu <<'K'
__global__ void arrive(int *next, int *order) { order[atomicAdd(next, 1)] = blockIdx.x; }
__global__ void tenth(float *out) { out[0] = 0.1f * 3; }
K
order="--kernel arrive --grid 3 --block 1 --arg buf:i32:1:zero --arg buf:i32:3"
expect 0 exec order.cu $order --dump 1 --format json
json "[f['severity'] for f in j['findings']] == ['note'] and 'depends on the schedule' in j['findings'][0]['message']"
expect 1 exec order.cu $order --expect 1=0..2
expect 0 exec order.cu $order --dump 0 --format json
json "j['findings'] == []"
expect 0 exec order.cu --kernel tenth --grid 1 --block 1 --arg buf:f32:1 --expect 0=0.3000001
expect 1 exec order.cu --kernel tenth --grid 1 --block 1 --arg buf:f32:1 --expect 0=0.3000001 --tolerance 0

# templates
cat >templates.cu <<'K'
template <class T, int N> __global__ void fill(T *to) { to[threadIdx.x] = N; }
K
expect 2 exec templates.cu --grid 1 --block 4 --arg buf:f32:4
has "a template becomes one where it is instantiated"
echo "template __global__ void fill<float, 3>(float *);" >>templates.cu
expect 0 exec templates.cu --kernel 'fill<float,3>' --grid 1 --block 4 --arg buf:f32:4 --expect '0=3*4'
expect 1 exec templates.cu --grid 1 --block 5 --arg buf:f32:4 --format json
json "j['findings'][0]['object'] == 'to'"
expect 2 exec templates.cu --grid 1 --block 4 -x
has "'-x'"

# what nvcc and its command line give a file
mkdir -p more/inner
echo '#define TWO 2' >more/inner/two.h
echo '#include "inner/two.h"' >more/all.h
cat >names.cu <<'K'
#include <all.h>
struct pair { char c; double d; };
static_assert(offsetof(pair, d) == 8, "");
__global__ void k(double *o) {
  o[0] = INT_MAX;
  o[1] = INFINITY;
  o[2] = M_PI > 3.14;
  o[3] = sizeof(uint) * TWO * N;
  o[4] = (double)(((unsigned __int128)~0ull * 3) >> 64);
}
K
for compiler in auto clang; do
  names="names.cu --compiler $compiler --grid 1 --block 1 --arg buf:f64:5 --schedule converged"
  expect 0 exec $names -DN=3 -I more --expect 0=2147483647,inf,1,24,2
  expect 0 exec $names --define N=4 --include=more --expect 0=2147483647,inf,1,32,2 --build both
  expect 1 exec $names -I more
  has COMPILE
  expect 1 exec $names -DN=3
  has all.h
done
expect 2 exec names.cu --grid 1 --block 1 -D
has "needs a value"
expect 2 exec k.cu $args --kernel other
has "twice("
expect 2 exec k.cu --grid 1 --arg null --arg null --arg i32:1
expect 2 exec nosuch.cu --grid 1 --block 1
expect 2 exec k.cu $args --dump 2
expect 2 exec k.cu $args --arg what
expect 2 exec . --grid 1 --block 1
expect 2 exec k.cu $args --strict nonsense
echo "this is no PTX" >bad.ptx
expect 1 exec bad.ptx --grid 1 --block 1
has COMPILE
echo "__global__ void spin(volatile int *p) { while (*p == 0) ; }" >spin.cu
expect 1 exec spin.cu --grid 1 --block 1 --arg buf:i32:1:zero
has DEADLOCK

# ---- the rest ----
expect 0 doctor
has puzzles
cd / && "$program" list >"$root/out" 2>&1 && ok || { cd "$root" && bad "list works from anywhere"; }
cd "$root" || exit 2
echo "cli: $passed passed, $failed failed"
[ "$failed" = 0 ]
