// expect: PASS
// run: --grid 4 --block 64 --arg buf:i32:700:iota --arg buf:i32:700 --arg buf:i32:1:zero --arg i32:700 --expect 1=1..700
// Persistent blocks draw chunks from a counter.
__global__ void worker(const int *in, int *out, int *next, int n) {
  __shared__ int chunk;
  for (;;) {
    if (threadIdx.x == 0) chunk = atomicAdd(next, 1);
    __syncthreads();
    int start = chunk * 64;
    __syncthreads();
    if (start >= n) break;
    int i = start + threadIdx.x;
    if (i < n) out[i] = in[i] + 1;
  }
}
