// expect: BARRIER
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32
// odd lanes wait inside of the branch, even lanes behind it
__global__ void k(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  if (t % 2) {
    __syncthreads();
    s[t] += 1;
  }
  __syncthreads();
  out[t] = s[31 - t];
}
