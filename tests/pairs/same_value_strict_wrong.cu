// expect: RACE
// run: --kernel k --grid 1 --block 64 --strict same-value --arg buf:i32:64:iota --arg buf:i32:1:zero
// the same value, but asked to be strict
__global__ void k(const int *in, int *found) {
  if (in[threadIdx.x] > 50) *found = 1;
}
