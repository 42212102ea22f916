// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64:iota
// the same through shared memory: both are needed
__global__ void k(int *a) {
  __shared__ int s[64];
  int t = threadIdx.x, v = a[t];
  for (int d = 16; d; d /= 2) {
    s[t] = v;
    __syncwarp();
    v += s[t ^ d];
    __syncwarp();
  }
  a[t] = v;
}
