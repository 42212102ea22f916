// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:8
// whole words first, a barrier, then bytes
__global__ void k(int *words) {
  unsigned char *bytes = (unsigned char *)words;
  int t = threadIdx.x;
  if (t % 4 == 1) words[t / 4] = 0;
  __syncthreads();
  bytes[t] = (unsigned char)t;
}
