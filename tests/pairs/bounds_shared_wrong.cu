// expect: BOUNDS line 7
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64
// one past the end of a shared array
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t + 1] = t;
  __syncthreads();
  out[t] = s[t];
}
