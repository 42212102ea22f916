// expect: PASS
// run: --kernel k --grid 2 --block 64 --arg buf:i32:128 --arg buf:i32:2:zero
// the host waits for the flag and reads what all threads wrote: barrier and fence are needed
__global__ void k(int *out, int *flag) {
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    flag[blockIdx.x] = 1;
  }
}
