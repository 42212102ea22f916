// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64
// no plain access of n after the first: still the barriers decide what each atomic finds
__global__ void k(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  atomicAdd(&n, 1);
  __syncthreads();
  out[threadIdx.x] = atomicOr(&n, 0);
  __syncthreads();
  atomicExch(&n, 7);
}
