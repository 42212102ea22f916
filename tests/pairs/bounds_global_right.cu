// expect: PASS
// run: --kernel k --grid 2 --block 64 --arg buf:i32:100 --arg i32:100
// the usual guard
__global__ void k(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = n - i;
}
