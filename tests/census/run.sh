#!/bin/sh
# Compiles the test kernels, and every function of <cuda_fp16.h> and its kin, for several targets, and
# says which instructions the machine would refuse. Usage: tests/census/run.sh BUILD [KERNEL...]
# Takes some minutes. What is not installed is left out aloud.
set -u
build=$1
shift
[ $# -gt 0 ] || set -- tests/kernels/*.cu tests/kernels2/*.cu
census=$build/tests/census/census
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
status=0
note() { [ "$1" -le "$status" ] || status=$1; }

echo "--- as exec compiles them"
for compiler in nvrtc clang; do
  "$census" --compiler $compiler "$@" > "$room/log"
  rc=$?
  if grep -q 'is not installed\|cannot be loaded\|not found' "$room/log"; then
    echo "$compiler: not here"
  else
    note $rc
    grep -v ' 0 refused, 0 beyond' "$room/log"
    echo "$compiler: $(grep -c ' functions, ' "$room/log") modules"
  fi
done

nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
if [ ! -x "$nvcc" ]; then
  echo "nvcc: not here"
  exit $status
fi
include=$(dirname "$nvcc")/../include

# KERNEL TARGET OPTIONS
try() {
  ptx=$room/$(basename "$1" .cu)_$2.ptx
  device=
  grep -q '<<<\|cudaGraph' "$1" && device=-rdc=true
  if "$nvcc" -ptx -std=c++17 $device -I"$include/cccl" $3 -arch="$2" -o "$ptx" "$1" 2> "$room/err"; then
    "$census" "$ptx" > "$room/log"
    note $?
    grep -v ' 0 refused, 0 beyond' "$room/log"
    modules=$((modules + 1))
  else
    echo "$1, $2: nvcc: $(head -n 1 "$room/err")"
  fi
}
echo "--- nvcc"
modules=0
for kernel in "$@"; do
  for target in compute_90 compute_100; do
    try "$kernel" $target -G
    try "$kernel" $target -O3
  done
done
echo "nvcc: $modules modules"

# Functions of these headers are static inline: copies that are not make all of them appear.
echo "--- every function of the headers for small floats"
modules=0
mkdir "$room/include"
for h in cuda_fp16 cuda_bf16 cuda_fp8 cuda_fp6 cuda_fp4; do
  [ -f "$include/$h.h" ] || continue
  sed 's/static __host__ __device__ __inline__/__device__ __noinline__/
       s/static __device__ __inline__/__device__ __noinline__/' "$include/$h.h" > "$room/include/$h.h"
  cp "$include/$h.hpp" "$room/include/"
  echo "#include <$h.h>" >> "$room/headers.cu"
done
for target in compute_90 compute_100 compute_100a compute_120a; do
  try "$room/headers.cu" $target "-rdc=true -G -I$room/include"
  try "$room/headers.cu" $target "-rdc=true -O3 -I$room/include"
done
echo "headers: $modules modules"
exit $status
