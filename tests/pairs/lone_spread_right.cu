// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:512:iota --arg buf:i32:64:zero
// A warp reads an array and stores to one element of it; one thread of the other warp stores to what was
// read by itself, in a loop that has run for a while before.
__global__ void k(int *a, int *b) {
  if (threadIdx.x < 32) b[threadIdx.x] = a[400 + threadIdx.x];
  if (threadIdx.x == 31) a[431] = 7;
  __syncthreads();
  if (threadIdx.x == 32)
    for (int i = 0; i < 431; i++) a[i] = i;
}
