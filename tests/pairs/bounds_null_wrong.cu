// expect: BOUNDS line 6
// run: --kernel k --grid 1 --block 32 --arg null --arg buf:i32:32
// writes through a null pointer
__global__ void k(int *maybe, int *out) {
  out[threadIdx.x] = 1;
  maybe[threadIdx.x] = 1;
}
