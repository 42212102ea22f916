// expect: RACE
// run: --kernel k --grid 1 --block 64 --arg buf:i32:1
// two warps of a block: no fence at all
__global__ void k(int *out) {
  __shared__ int flag, data;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 42;
    atomicExch(&flag, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    *out = data;
  }
}
