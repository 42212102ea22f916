// expect: PASS
// run: --kernel k --grid 4 --block 32 --arg buf:i32:129:iota --arg buf:i32:128
// reads one array, writes another
__global__ void k(const int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + a[i + 1];
}
