// expect: PASS
// run: --kernel k --grid 2 --block 1 --arg buf:i32:1:zero
// device-scope atomics
__global__ void k(int *c) {
  atomicAdd(c, 1);
}
