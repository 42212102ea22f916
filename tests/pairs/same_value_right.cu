// expect: PASS+note
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64:iota --arg buf:i32:1:zero
// all store the same value: a note
__global__ void k(const int *in, int *found) {
  if (in[threadIdx.x] > 50) *found = 1;
}
