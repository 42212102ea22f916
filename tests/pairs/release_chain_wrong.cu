// expect: RACE
// run: --kernel k --grid 3 --block 32 --arg buf:i32:1:zero --arg buf:i32:32 --arg buf:i32:32
// block 1 passes the word on without a fence of its own
__global__ void k(int *stage, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(stage, 1);
    }
  } else if (t == 0 && blockIdx.x == 1) {
    while (atomicAdd(stage, 0) != 1) {
    }
    atomicExch(stage, 2);
  } else if (blockIdx.x == 2) {
    if (t == 0) {
      while (atomicAdd(stage, 0) != 2) {
      }
    }
    __syncthreads();
    out[t] = data[t];
  }
}
