// expect: PASS
// Right: the lock itself is acquired and released, without fences of their own.
#include <cuda/atomic>

__device__ void acquire(int *lock) {
  cuda::atomic_ref<int, cuda::thread_scope_device> word(*lock);
  while (word.exchange(1, cuda::memory_order_acquire) != 0) {}
}

__device__ void release(int *lock) {
  cuda::atomic_ref<int, cuda::thread_scope_device>(*lock).store(0, cuda::memory_order_release);
}

__global__ void records(const int *team, const int *time, int *lock, int *best, int *who, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int t = team[i];

  acquire(&lock[t]);
  if (time[i] < best[t] || (time[i] == best[t] && i < who[t])) {
    best[t] = time[i];
    who[t] = i;
  }
  release(&lock[t]);
}
