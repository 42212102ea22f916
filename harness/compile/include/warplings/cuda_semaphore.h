/* cuda_semaphore.h - <cuda/semaphore>: takes and gives units. With a maximum of one it holds 0 or 1, as NVIDIA's does. */
#ifndef WARPLINGS_CUDA_SEMAPHORE
#define WARPLINGS_CUDA_SEMAPHORE
#include "warplings/cuda_atomic.h"

namespace cuda {
template <thread_scope S, std::ptrdiff_t most = 0x7fffffff> class counting_semaphore {
  atomic<std::ptrdiff_t, S> units;

public:
  WL_EARLY counting_semaphore(std::ptrdiff_t n = 0) : units(n) {}
  counting_semaphore(const counting_semaphore &) = delete;
  counting_semaphore &operator=(const counting_semaphore &) = delete;
  WL_MEMBER void release(std::ptrdiff_t n = 1) { units.fetch_add(n, memory_order_release); }
  WL_MEMBER bool try_acquire() noexcept {
    std::ptrdiff_t have = units.load(memory_order_acquire);
    while (have != 0)
      if (units.compare_exchange_weak(have, have - 1, memory_order_acquire, memory_order_relaxed)) return true;
    return false;
  }
  WL_MEMBER void acquire() {
    while (!try_acquire()) units.wait(0, memory_order_relaxed);
  }
  static constexpr WL_MEMBER std::ptrdiff_t max() noexcept { return 0x7fffffffffffffff; }
};

template <thread_scope S> class counting_semaphore<S, 1> {
  atomic<int, S> unit;

public:
  WL_EARLY counting_semaphore(std::ptrdiff_t n = 0) : unit((int)n) {}
  counting_semaphore(const counting_semaphore &) = delete;
  counting_semaphore &operator=(const counting_semaphore &) = delete;
  WL_MEMBER void release(std::ptrdiff_t = 1) { unit.store(1, memory_order_release); }
  WL_MEMBER bool try_acquire() noexcept { return unit.exchange(0, memory_order_acquire) == 1; }
  WL_MEMBER void acquire() {
    while (!try_acquire()) unit.wait(0, memory_order_relaxed);
  }
  static constexpr WL_MEMBER std::ptrdiff_t max() noexcept { return 1; }
};
template <thread_scope S> using binary_semaphore = counting_semaphore<S, 1>;
} // namespace cuda
#endif
