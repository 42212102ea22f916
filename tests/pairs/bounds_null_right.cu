// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg null --arg buf:i32:32
// asks first
__global__ void k(int *maybe, int *out) {
  out[threadIdx.x] = 1;
  if (maybe) maybe[threadIdx.x] = 1;
}
