// expect: PASS
// Right: the flag itself is released and acquired, without a fence of its own.
#include <cuda/atomic>

__device__ void post(int *flag) {
  __syncthreads();
  if (threadIdx.x == 0)
    cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_release);
}

__device__ void await(int *flag) {
  cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);
  if (threadIdx.x == 0)
    while (raised.load(cuda::memory_order_acquire) == 0) {}
  __syncthreads();
}

__global__ void exchange(const int *in, int *mail, int *flag, int *out, int n) {
  int pair = blockIdx.x / 2;
  int *letter = mail + pair * n;

  if (blockIdx.x % 2 == 0) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) letter[i] = 2 * in[pair * n + i] + 1;
    post(&flag[pair]);
  } else {
    await(&flag[pair]);
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[pair * n + i] = letter[n - 1 - i];
  }
}
