// expect: PASS
// run: --kernel k --grid 1 --block 64 --strict exit --arg buf:i32:64 --arg i32:40
// they skip the work and stay for the barrier
__global__ void k(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < n) s[t] = t;
  __syncthreads();
  if (t < n) out[t] = s[n - 1 - t];
}
