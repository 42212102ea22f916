// expect: RACE
// run: --kernel run --grid 6 --block 32 --arg buf:u32:1:zero --arg buf:i32:4:zero --arg buf:i32:1:zero
// on: table
// run: --kernel run --grid 2 --block 1 --arg buf:u32:1:zero --arg buf:i32:4:zero --arg buf:i32:1:zero
// on: table
// The others wait with an atomic, but atomics without qualifiers are relaxed: a fence is missing
// between READY and the table.
__device__ void store_release(unsigned *p, unsigned v) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

enum { EMPTY, BUSY, READY };
__device__ void fill_once(unsigned *state, int *table) {
  if (atomicCAS(state, EMPTY, BUSY) == EMPTY) {
    for (int i = 0; i < 4; i++) table[i] = i + 1;
    store_release(state, READY);
  }
  while (atomicAdd(state, 0u) != READY) {
  }
}

__global__ void run(unsigned *state, int *table, int *sum) {
  fill_once(state, table);
  atomicAdd(sum, table[0] + table[1] + table[2] + table[3]);
}
