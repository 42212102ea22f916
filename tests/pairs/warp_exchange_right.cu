// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:32
// __syncwarp orders the memory of the warp
__global__ void k(const int *in, int *out) {
  __shared__ int s[32];
  int l = threadIdx.x;
  s[l] = in[l];
  __syncwarp();
  out[l] = s[l ^ 1];
}
