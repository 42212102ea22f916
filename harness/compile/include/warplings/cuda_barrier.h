/* cuda_barrier.h - <cuda/barrier>: barriers that one arrives at and later waits for. One of block scope in shared memory
 * is the hardware's (cuda_mbarrier.h); any other is a word: bit 63 the phase, the arrivals below it, and the number
 * expected in the low half, both as what is missing to 2^31. Barriers with a completion function are NVIDIA's. */
#ifndef WARPLINGS_CUDA_BARRIER
#define WARPLINGS_CUDA_BARRIER
#include "warplings/cuda_atomic.h"
#include "warplings/cuda_mbarrier.h"

namespace cuda {
namespace std {
struct wl_no_completion {};
} // namespace std

namespace wl {
template <thread_scope S> class counting_barrier {
  static constexpr wl_u64 one = 1ull << 32, phase_bit = 1ull << 63;
  atomic<wl_u64, S> state;

public:
  using arrival_token = std::uint64_t;
  counting_barrier() = default;
  WL_EARLY counting_barrier(std::ptrdiff_t n) : state((((1ull << 31) - (wl_u64)n) << 32) | ((1ull << 31) - (wl_u64)n)) {}
  WL_MEMBER arrival_token arrive(std::ptrdiff_t n) {
    wl_u64 add = one * (wl_u64)n, old = state.fetch_add(add, memory_order_acq_rel);
    if ((old ^ (old + add)) & phase_bit) state.fetch_add(old << 32, memory_order_relaxed);
    return old & phase_bit;
  }
  WL_MEMBER void drop() {
    state.fetch_add(1, memory_order_relaxed);
    arrive(1);
  }
  WL_MEMBER bool passed(wl_u64 phase) const { return (state.load(memory_order_acquire) & phase_bit) != (phase & phase_bit); }
  WL_MEMBER bool passed_parity(bool parity) const { return passed(parity ? phase_bit : 0); }
};

/* A moment of rest between two looks at a word in memory; the hardware's barrier does that itself. */
WL_FN void rest(unsigned &pause) {
  __nanosleep(pause);
  if (pause < 256) pause *= 2;
}
} // namespace wl

template <thread_scope S, class Completion = std::wl_no_completion> class barrier {
  static_assert(std::wl_same<Completion, std::wl_no_completion>::value, WL_NEEDS_TOOLKIT);
  wl::counting_barrier<S> word;

public:
  using arrival_token = std::uint64_t;
  barrier() = default;
  WL_EARLY barrier(std::ptrdiff_t n) : word(n) {}
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;
  friend WL_MEMBER void init(barrier *b, std::ptrdiff_t n) { new (b) barrier(n); }
  WL_MEMBER arrival_token arrive(std::ptrdiff_t n = 1) { return word.arrive(n); }
  WL_MEMBER void wait(arrival_token &&t) const {
    for (unsigned pause = 8; !word.passed(t);) wl::rest(pause);
  }
  WL_MEMBER void wait_parity(bool parity) const {
    for (unsigned pause = 8; !word.passed_parity(parity);) wl::rest(pause);
  }
  WL_MEMBER void arrive_and_wait() { wait(arrive()); }
  WL_MEMBER void arrive_and_drop() { word.drop(); }
  WL_MEMBER void wl_end() {}
  static constexpr WL_MEMBER std::ptrdiff_t max() noexcept { return 0x7fffffff; }
};

template <> class barrier<thread_scope_block, std::wl_no_completion> {
  wl::counting_barrier<thread_scope_block> word;
  WL_MEMBER bool is_hardware() const {
    if (__isShared(this)) return true;
#ifndef WL_HAS_CLANG
    if (__isClusterShared(this)) __trap(); /* another block's */
#endif
    return false;
  }
  WL_MEMBER bool passed(wl_u64 t) const { return is_hardware() ? wl::mbarrier_try_wait(this, t) : word.passed(t); }
  WL_MEMBER bool passed_parity(bool parity) const { return is_hardware() ? wl::mbarrier_try_wait_parity(this, parity) : word.passed_parity(parity); }

public:
  using arrival_token = std::uint64_t;
  barrier() = default;
  WL_MEMBER barrier(std::ptrdiff_t n) { init(this, n); }
#ifndef WL_HAS_CLANG /* clang takes no __shared__ variable that has a destructor */
  WL_MEMBER ~barrier() { wl_end(); }
#endif
  WL_MEMBER void wl_end() {
    if (is_hardware()) wl::mbarrier_inval(this);
  }
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;
  friend WL_MEMBER void init(barrier *b, std::ptrdiff_t n) {
    if (b->is_hardware()) wl::mbarrier_init(b, (unsigned)n);
    else new (&b->word) wl::counting_barrier<thread_scope_block>(n);
  }
  WL_MEMBER arrival_token arrive(std::ptrdiff_t n = 1) { return is_hardware() ? wl::mbarrier_arrive(this, (unsigned)n) : word.arrive(n); }
  WL_MEMBER void wait(arrival_token &&t) const {
    for (unsigned pause = 8; !passed(t);) wl::rest(pause);
  }
  WL_MEMBER void wait_parity(bool parity) const {
    for (unsigned pause = 8; !passed_parity(parity);) wl::rest(pause);
  }
  WL_MEMBER void arrive_and_wait() { wait(arrive()); }
  WL_MEMBER void arrive_and_drop() {
    if (is_hardware()) wl::mbarrier_arrive_drop(this);
    else word.drop();
  }
  static constexpr WL_MEMBER std::ptrdiff_t max() noexcept { return (1 << 20) - 1; }
};

namespace device {
using block_barrier = barrier<thread_scope_block>;
WL_FN std::uint64_t *barrier_native_handle(block_barrier &b) { return reinterpret_cast<std::uint64_t *>(&b); }
WL_FN void barrier_expect_tx(block_barrier &b, std::ptrdiff_t bytes) { wl::mbarrier_expect_tx(&b, (unsigned)bytes); }
WL_FN block_barrier::arrival_token barrier_arrive_tx(block_barrier &b, std::ptrdiff_t n, std::ptrdiff_t bytes) {
  if (n == 1) return wl::mbarrier_arrive_expect_tx(&b, (unsigned)bytes);
  wl::mbarrier_expect_tx(&b, (unsigned)bytes);
  return wl::mbarrier_arrive(&b, (unsigned)n);
}
namespace experimental {
WL_FN void cp_async_bulk_global_to_shared(void *to, const void *from, std::uint32_t bytes, block_barrier &b) { wl::bulk_to_shared(to, from, bytes, &b); }
WL_FN void cp_async_bulk_shared_to_global(void *to, const void *from, std::uint32_t bytes) { wl::bulk_to_global(to, from, bytes); }
WL_FN void cp_async_bulk_commit_group() { wl::bulk_commit(); }
template <int others> WL_FN void cp_async_bulk_wait_group_read() { wl::bulk_wait_read<others>(); }
WL_FN void fence_proxy_async_shared_cta() { wl::fence_proxy_shared(); }
} // namespace experimental
} // namespace device
} // namespace cuda
#include "warplings/cuda_copy.h"
#endif
