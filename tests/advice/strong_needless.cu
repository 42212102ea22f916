// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64
// advice: 14
// every atomic on n lies between barriers already; the last one orders nothing more
__global__ void k(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  atomicAdd(&n, 1);
  __syncthreads();
  int all = n;
  out[threadIdx.x] = all;

  __syncthreads();
}
