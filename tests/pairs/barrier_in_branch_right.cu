// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64
// one barrier behind the branch
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 32) {
    s[t] = t;
  } else {
    s[t] = -t;
  }
  __syncthreads();
  out[t] = s[63 - t];
}
