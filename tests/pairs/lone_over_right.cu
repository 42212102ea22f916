// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:512:iota --arg buf:i32:64:zero
// A warp reads an array; one thread of the other warp stores to it by itself, in a loop that has run for a
// while before it comes to what was read.
__global__ void k(int *a, int *b) {
  if (threadIdx.x < 32) b[threadIdx.x] = a[400 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 32)
    for (int i = 0; i < 500; i++) a[i] = i;
}
