// expect: UNINIT line 5
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32 --arg buf:i32:32:zero
// an index from a buffer that nobody filled
__global__ void k(const int *index, int *out) {
  out[index[threadIdx.x] & 31] = 1;
}
