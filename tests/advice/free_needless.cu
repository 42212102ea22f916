// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64
// advice: 9
// nothing is given back here, and every thread reads what it wrote
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = s[t];
}
