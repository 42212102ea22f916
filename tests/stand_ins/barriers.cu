// Barriers in and outside shared memory, semaphores, latches, copies. See tests/unit/test_stand_ins.c.
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
using namespace cuda;
using of_block = barrier<thread_scope_block>;
using of_device = barrier<thread_scope_device>;
namespace bulk = device::experimental;
__global__ void hardware() {
  __shared__ of_block b;
  if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  auto t = b.arrive();
  b.wait(cuda::std::move(t));
  b.wait(b.arrive(2));
  b.arrive_and_wait();
  b.arrive_and_drop();
  b.wait_parity(false);
}
__global__ void counted_bytes(int *o, const int *g) {
  __shared__ alignas(16) int s[64];
  __shared__ of_block b;
  if (threadIdx.x) return;
  init(&b, 1);
  bulk::fence_proxy_async_shared_cta();
  bulk::cp_async_bulk_global_to_shared(s, g, 256, b);
  b.wait(device::barrier_arrive_tx(b, 1, 256));
  (void)device::barrier_arrive_tx(b, 3, 16);
  device::barrier_expect_tx(b, 8);
  bulk::cp_async_bulk_shared_to_global(o, s, 256);
  bulk::cp_async_bulk_commit_group();
  bulk::cp_async_bulk_wait_group_read<0>();
  device::memcpy_async_tx(s, g, aligned_size_t<16>(64), b);
}
__global__ void in_memory(of_device *b) {
  b->arrive_and_wait();
  b->wait(b->arrive(2));
  b->arrive_and_drop();
  b->wait_parity(true);
}
__global__ void first_use(of_device *b) { init(b, 7); }
__global__ void either(of_block *b) { b->arrive_and_wait(); }
__global__ void semaphores(counting_semaphore<thread_scope_device, 9> *s, binary_semaphore<thread_scope_block> *q) {
  s->acquire();
  s->release(3);
  q->acquire();
  q->release();
  if (s->try_acquire() && q->try_acquire()) s->release();
}
__global__ void latches(latch<thread_scope_system> *l) {
  l->count_down(2);
  l->arrive_and_wait();
  if (l->try_wait()) l->wait();
}
__global__ void copies(const int *g, const double *h, of_device *d) {
  __shared__ of_block b;
  __shared__ int s[256];
  __shared__ double t[32];
  if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  memcpy_async(s + threadIdx.x, g + threadIdx.x, sizeof(int), b);
  memcpy_async(t + threadIdx.x, h, 8, b);
  b.arrive_and_wait();
  memcpy_async(s, g, 16, *d);
  memcpy_async((void *)s, (const void *)g, 16, b);
}
