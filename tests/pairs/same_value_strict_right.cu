// expect: PASS
// run: --kernel k --grid 1 --block 64 --strict same-value --arg buf:i32:64:iota --arg buf:i32:1:zero
// atomic
__global__ void k(const int *in, int *found) {
  if (in[threadIdx.x] > 50) atomicExch(found, 1);
}
