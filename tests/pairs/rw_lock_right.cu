// expect: PASS
// run: --grid 4 --block 1 --arg buf:i32:1:zero --arg buf:i32:2:zero --arg buf:i32:4 --arg buf:i32:1:zero --expect 1=6*2 --expect 3=0
// Readers count up from 0, a writer holds -1. Blocks 0 and 1 write three times, 2 and 3 read.
#include <cuda/atomic>
using aref = cuda::atomic_ref<int, cuda::thread_scope_device>;
__device__ void readLock(int *l) {
  aref a(*l);
  for (;;) {
    int v = a.load(cuda::memory_order_relaxed);
    if (v >= 0 && a.compare_exchange_weak(v, v + 1, cuda::memory_order_acquire)) return;
  }
}
__device__ void readUnlock(int *l) {
  aref(*l).fetch_sub(1, cuda::memory_order_release);
}
__device__ void writeLock(int *l) {
  aref a(*l);
  int zero = 0;
  while (!a.compare_exchange_weak(zero, -1, cuda::memory_order_acquire)) zero = 0;
}
__device__ void writeUnlock(int *l) { aref(*l).store(0, cuda::memory_order_release); }
__global__ void readersWriters(int *lock, int *pair, int *seen, int *torn) {
  for (int r = 0; r < 3; r++) {
    if (blockIdx.x < 2) {
      writeLock(lock);
      pair[0]++;
      pair[1]++;
      writeUnlock(lock);
    } else {
      readLock(lock);
      int a = pair[0], b = pair[1];
      readUnlock(lock);
      seen[blockIdx.x] = a;
      if (a != b) atomicAdd(torn, 1);
    }
  }
}
