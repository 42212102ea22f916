// expect: BOUNDS line 6
// run: --kernel k --grid 2 --block 64 --arg buf:i32:100 --arg i32:100
// no guard: the last block reaches behind the buffer
__global__ void k(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = n - i;
}
