// expect: RACE line 6
// run: --kernel k --grid 1 --block 64 --arg buf:i32:1:zero --arg buf:i32:64
// an atomic add does not protect a plain read
__global__ void k(int *c, int *out) {
  atomicAdd(c, 1);
  out[threadIdx.x] = *c;
}
