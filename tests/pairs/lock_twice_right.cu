// expect: PASS
// run: --kernel k --grid 2 --block 1 --arg buf:i32:1:zero --arg buf:i32:1:zero
// lock and unlock in turn
__device__ void lock(int *m) {
  while (atomicCAS(m, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void unlock(int *m) {
  __threadfence();
  atomicExch(m, 0);
}
__global__ void k(int *m, int *c) {
  for (int i = 0; i < 2; i++) {
    lock(m);
    *c += 1;
    unlock(m);
  }
}
