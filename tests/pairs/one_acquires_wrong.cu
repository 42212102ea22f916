// expect: WRONG
// run: --grid 4 --block 64 --arg buf:i32:16:zero --arg buf:i32:4:zero --arg buf:i32:256 --expect 2=0*64,4*64,9*64,14*64 --seeds 400
// The one thread looks with a relaxed load. The barrier orders the block, not what another block has stored.
#include <cuda/atomic>
__global__ void bcast(volatile int *data, int *flag, int *out) {
  int b = blockIdx.x, t = threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> f(flag[b]);
  int sum = 0;
  if (b) {
    cuda::atomic_ref<int, cuda::thread_scope_device> prev(flag[b - 1]);
    if (t == 0) while (prev.load(cuda::memory_order_relaxed) == 0) {}
    __syncthreads();
    for (int i = 0; i < 4; i++) sum += data[(b - 1) * 4 + i];
    if (b > 1) sum += data[(b - 2) * 4];   // through two acquires
  }
  out[b * blockDim.x + t] = sum;
  if (t < 4) data[b * 4 + t] = b + 1;
  __syncthreads();
  if (t == 0) f.store(1, cuda::memory_order_release);
}
