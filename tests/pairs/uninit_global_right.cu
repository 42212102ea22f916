// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:32:zero
// an index from a filled buffer
__global__ void k(const int *index, int *out) {
  out[index[threadIdx.x] & 31] = 1;
}
