// expect: PASS
// run: --kernel k --grid 3 --block 64 --arg buf:i32:192 --arg buf:i32:1:zero
// advice: 10 13
// a fence in front of a barrier adds nothing, and a count that nobody reads carries no message
__global__ void k(int *out, int *count) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 64)
    __threadfence();
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
  __threadfence();
  atomicAdd(count, 1);
}
