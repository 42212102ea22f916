// expect: RACE line 11
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64:iota
// One thread adds up shared memory by itself; its block goes on to fill it again.
__global__ void k(int *out) {
  __shared__ int t[64];
  int s = 0;
  t[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 5)
    for (int i = 0; i < 256; i++) s += t[i * 3 % 64];
  t[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = s + t[63 - threadIdx.x];
}
