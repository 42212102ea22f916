#!/bin/sh
# run.sh BUILD - builds the programs beside it with nvcc and runs them: docs/claims.md. SKIP without nvcc or a GPU.
set -u
here=$(dirname "$0")
out=${1:-build}/claims
nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
[ -x "$nvcc" ] || nvcc=$(command -v nvcc) || { echo "SKIP  no nvcc here: install the CUDA toolkit, or set CUDA_HOME"; exit 0; }
mkdir -p "$out"
failed=0
for source in "$here"/*.cu; do
  name=$(basename "$source" .cu)
  "$nvcc" -O3 -std=c++17 -arch="${ARCH:-sm_90}" -o "$out/$name" "$source" || { failed=1; continue; }
  "$out/$name"
  case $? in 0) ;; 77) exit 0 ;; *) echo "FAIL  $name"; failed=1 ;; esac
done
exit $failed
