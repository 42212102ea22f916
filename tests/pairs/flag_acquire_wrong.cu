// expect: RACE line 12
// run: --kernel k --grid 2 --block 1 --arg buf:i32:1:zero --arg buf:i32:1 --arg buf:i32:1
// the reader sees the flag but has no fence
__global__ void k(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    *out = *data;
  }
}
