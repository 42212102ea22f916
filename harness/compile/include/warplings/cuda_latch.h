/* cuda_latch.h - <cuda/latch>: counts down to zero once. */
#ifndef WARPLINGS_CUDA_LATCH
#define WARPLINGS_CUDA_LATCH
#include "warplings/cuda_atomic.h"

namespace cuda {
template <thread_scope S> class latch {
  atomic<std::ptrdiff_t, S> left;

public:
  WL_EARLY latch(std::ptrdiff_t expected) : left(expected) {}
  latch(const latch &) = delete;
  latch &operator=(const latch &) = delete;
  WL_MEMBER void count_down(std::ptrdiff_t n = 1) { left.fetch_sub(n, memory_order_release); }
  WL_MEMBER bool try_wait() const noexcept { return left.load(memory_order_acquire) == 0; }
  WL_MEMBER void wait() const {
    for (std::ptrdiff_t now; (now = left.load(memory_order_acquire)) != 0;) left.wait(now, memory_order_relaxed);
  }
  WL_MEMBER void arrive_and_wait(std::ptrdiff_t n = 1) {
    count_down(n);
    wait();
  }
  static constexpr WL_MEMBER std::ptrdiff_t max() noexcept { return 0x7fffffffffffffff; }
};
} // namespace cuda
#endif
