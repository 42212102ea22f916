// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:1
// inside of a block the block-scope fence is enough
__global__ void k(int *out) {
  __shared__ int flag, data;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 42;
    __threadfence_block();
    atomicExch(&flag, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence_block();
    *out = data;
  }
}
