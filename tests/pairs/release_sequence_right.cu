// expect: PASS
// run: --kernel k --grid 3 --block 32 --arg buf:i32:2:zero --arg buf:i32:32 --arg buf:i32:32
// block 1 adds to the very flag: atomics carry the first release on, no fence needed
__global__ void k(int *stage, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(&stage[0], 1);
    }
  } else if (blockIdx.x == 1) {
    if (t == 0) {
      while (atomicAdd(&stage[0], 0) != 1) {
      }
      atomicAdd(&stage[0], 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(&stage[0], 0) != 2) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = data[31 - t];
  }
}
