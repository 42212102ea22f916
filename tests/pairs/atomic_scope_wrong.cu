// expect: RACE line 5
// run: --kernel k --grid 2 --block 1 --arg buf:i32:1:zero
// block-scope atomics on a word that two blocks share
__global__ void k(int *c) {
  atomicAdd_block(c, 1);
}
