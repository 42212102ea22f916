// TIER core TOOLS nvrtc,clang
#include <cuda/atomic>
// Atomics as variables: their storage, types of all sizes, and the members that read like plain code.
struct node { int v; node *next; };
struct pair { int a, b; };
__device__ cuda::atomic<int, cuda::thread_scope_device> counter{5};
__device__ cuda::atomic<bool, cuda::thread_scope_device> flag{true};
__device__ cuda::std::atomic<float> real(2.5f);
__device__ cuda::atomic<node *, cuda::thread_scope_device> head{nullptr};
__device__ cuda::atomic<pair> both{pair{1, 2}};
__global__ void k(int *o) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> sum;
  __shared__ cuda::atomic<unsigned char, cuda::thread_scope_block> small;
  if (threadIdx.x == 0) {
    sum = 0;
    small.store(200);
  }
  __syncthreads();
  sum.fetch_add(1, cuda::std::memory_order_relaxed);
  sum++;
  __syncthreads();
  if (threadIdx.x) return;
  o[0] = sum;
  o[1] = counter.load();
  o[2] = flag;
  o[3] = real.fetch_add(1.5f) * 2 + real;
  o[4] = head.load() == nullptr;
  pair p = both.exchange(pair{7, 8});
  o[5] = p.a * 10 + p.b + both.load().a;
  unsigned char e = 200;
  o[6] = small.compare_exchange_weak(e, 7) + small.load();
  o[7] = small.compare_exchange_strong(e, 1);
  o[8] = e;
  o[9] = small.exchange(9);
  flag.store(false);
  o[10] = flag.load(cuda::memory_order_acquire);
  node n[3];
  head.store(n);
  o[11] = (int)(head.fetch_add(2) - n);
  o[12] = (int)(head.load() - n);
  o[13] = (int)(--head - n);
  counter += 4;
  o[14] = counter.fetch_min(2);
  o[15] = counter;
  o[16] = sizeof(small) + sizeof(flag) * 10 + sizeof(both) * 100 + alignof(cuda::atomic<pair>) * 1000;
  cuda::atomic_ref last(o[17]);
  last = 4;
  o[18] = ++last;
}
// The hardware has no atomics on a thread's own stack.
__global__ void own(int *o) {
  cuda::atomic<int> mine(3);
  o[0] = mine.fetch_add(4);
}
