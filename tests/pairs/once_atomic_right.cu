// expect: PASS
// run: --grid 4 --block 32 --arg buf:i32:1:zero --arg buf:i32:1:zero --arg buf:i32:8:zero --arg buf:i32:128 --expect 3=140*128
// Double-checked initialisation: who sees `ready` takes no lock. Both ways need a fence behind the look.
__device__ int peek(int *p) { return atomicAdd(p, 0); }
__global__ void useTable(int *ready, int *lock, int *table, int *out) {
  if (threadIdx.x == 0) {
    if (!peek(ready)) {
      while (atomicCAS(lock, 0, 1)) {}
      __threadfence();
      if (!peek(ready)) {
        for (int i = 0; i < 8; i++) table[i] = i * i;
        __threadfence();
        atomicExch(ready, 1);
      }
      __threadfence();
      atomicExch(lock, 0);
    }
    __threadfence();
  }
  __syncwarp();
  int sum = 0;
  for (int i = 0; i < 8; i++) sum += table[i];
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}
