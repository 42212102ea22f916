// expect: PASS
// run: --kernel k --grid 2 --block 64 --arg buf:i32:128 --arg buf:i32:2:zero
// advice: 7 9
// the host reads when the kernel has ended
__global__ void k(int *out, int *flag) {
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    flag[blockIdx.x] = 1;
  }
}
