// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:512:iota --arg buf:i32:64:zero
// advice: 8
// One thread fills an array by itself, again and again, with a barrier after each round but the last: what
// it wrote then the others may not read.
__global__ void k(int *a, int *b) {
  for (int r = 0; r < 3; r++) {
    if (r) __syncthreads();
    if (threadIdx.x == 0)
      for (int i = 0; i < 100; i++) a[i] = i + r;
  }
  __syncthreads();
  if (threadIdx.x >= 32) b[threadIdx.x] = a[threadIdx.x];
}
