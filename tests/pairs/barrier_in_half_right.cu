// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32
// advice: 9
// all lanes wait twice
__global__ void k(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t % 2) s[t] += 1;
  __syncthreads();
  out[t] = s[31 - t];
}
