// expect: RACE
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64:iota --arg buf:i32:1:zero
// threads store different values to one word
__global__ void k(const int *in, int *found) {
  if (in[threadIdx.x] > 50) *found = in[threadIdx.x];
}
