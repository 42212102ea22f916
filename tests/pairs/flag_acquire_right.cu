// expect: PASS
// run: --kernel k --grid 2 --block 1 --arg buf:i32:1:zero --arg buf:i32:1 --arg buf:i32:1
// fences on both sides; the reader asks for the flag in a helper
__device__ int poll(int *flag) { return atomicAdd(flag, 0); }
__global__ void k(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (!poll(flag)) {
    }
    __threadfence();
    *out = *data;
  }
}
