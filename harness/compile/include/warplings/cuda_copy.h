/* cuda_copy.h - cuda::memcpy_async with a barrier or a pipeline. From global to shared memory, pieces of 4, 8 or 16 bytes
 * (as the type or aligned_size_t promises) go asynchronously; with the hardware's barrier, 16 and more go as one
 * bulk copy that the barrier counts. Everything else is copied at once, each thread its part. */
#ifndef WARPLINGS_CUDA_COPY
#define WARPLINGS_CUDA_COPY
#include "warplings/cuda_barrier.h"

namespace cuda {

enum class async_contract_fulfillment { none, async };

template <std::size_t A> struct aligned_size_t {
  static constexpr std::size_t align = A;
  std::size_t value;
  WL_EARLY explicit aligned_size_t(std::size_t n) : value(n) {}
  WL_EARLY operator std::size_t() const { return value; }
};

template <thread_scope S> class pipeline;

namespace wl {

struct lone_thread {
  WL_MEMBER void sync() const {}
  WL_MEMBER unsigned size() const { return 1; }
  WL_MEMBER unsigned thread_rank() const { return 0; }
};

/* How a copy was done. */
enum copied { AT_ONCE, BY_GROUP, BY_BULK };

template <class Size> struct promise { static constexpr std::size_t align = 1; };
template <std::size_t A> struct promise<aligned_size_t<A>> { static constexpr std::size_t align = A; };
template <class T, class Size> struct alignment_of {
  static constexpr std::size_t value = alignof(T) > promise<Size>::align ? alignof(T) : promise<Size>::align;
};
template <std::size_t align> struct piece {
  static constexpr unsigned bytes = align > 16 ? 16 : align;
  alignas(bytes) char data[bytes];
};

/* `b`: a barrier that counts bytes if it is in shared memory, or null. */
template <std::size_t align, class Group> WL_FN copied copy(const Group &g, char *to, const char *from, std::size_t size, void *b) {
  constexpr unsigned bytes = piece<align>::bytes;
  const std::size_t step = (std::size_t)g.size() * bytes, first = (std::size_t)g.thread_rank() * bytes;
  if (__isGlobal(from) && __isShared(to)) {
#ifndef WL_HAS_CLANG
    if constexpr (align >= 16) {
      if (b && __isShared(b)) {
        if (g.thread_rank() == 0) bulk_to_shared(to, from, (unsigned)size, b);
        return BY_BULK;
      }
    }
#endif
    if constexpr (align >= 4) {
      for (std::size_t i = first; i < size; i += step) copy_piece<bytes>(to + i, from + i);
      return BY_GROUP;
    }
  }
  for (std::size_t i = first; i < size; i += step) *(piece<align> *)(to + i) = *(const piece<align> *)(from + i);
  return AT_ONCE;
}

/* The barrier must not open before this thread's copies have ended. */
WL_FN void hold(barrier<thread_scope_block> &b, copied how, bool leader, std::size_t size) {
  if (how == AT_ONCE) return;
  if (!__isShared(&b)) copy_wait_all();
  else if (how == BY_GROUP) copy_arrive(&b);
  else if (leader) mbarrier_expect_tx(&b, (unsigned)size);
}
template <thread_scope S, class Completion> WL_FN void hold(barrier<S, Completion> &, copied how, bool, std::size_t) {
  if (how == BY_GROUP) copy_wait_all();
}
WL_FN void *counts_bytes(barrier<thread_scope_block> &b) { return &b; }
template <thread_scope S, class Completion> WL_FN void *counts_bytes(barrier<S, Completion> &) { return nullptr; }

template <std::size_t align, class Group, thread_scope S, class Completion>
WL_FN async_contract_fulfillment copy_with(const Group &g, void *to, const void *from, std::size_t size, barrier<S, Completion> &b) {
  copied how = copy<align>(g, (char *)to, (const char *)from, size, counts_bytes(b));
  hold(b, how, g.thread_rank() == 0, size);
  return how == AT_ONCE ? async_contract_fulfillment::none : async_contract_fulfillment::async;
}
template <std::size_t align, class Group, thread_scope S>
WL_FN async_contract_fulfillment copy_with(const Group &g, void *to, const void *from, std::size_t size, pipeline<S> &) {
  return copy<align>(g, (char *)to, (const char *)from, size, nullptr) == AT_ONCE ? async_contract_fulfillment::none : async_contract_fulfillment::async;
}

} // namespace wl

/* `With` is a barrier or a pipeline; a size is a number of bytes, or an aligned_size_t. */
#define WL_MEMCPY_ASYNC(parameters, With)                                                          \
  template <class Group, class T, WL_COMMA parameters> WL_FN async_contract_fulfillment memcpy_async(const Group &g, T *to, const T *from, std::size_t n, With &b) { \
    return wl::copy_with<alignof(T)>(g, to, from, n, b);                                           \
  }                                                                                                \
  template <class Group, class T, std::size_t A, WL_COMMA parameters> WL_FN async_contract_fulfillment memcpy_async(const Group &g, T *to, const T *from, aligned_size_t<A> n, With &b) { \
    return wl::copy_with<wl::alignment_of<T, aligned_size_t<A>>::value>(g, to, from, n, b);        \
  }                                                                                                \
  template <class T, class Size, WL_COMMA parameters> WL_FN async_contract_fulfillment memcpy_async(T *to, const T *from, Size n, With &b) { \
    return wl::copy_with<wl::alignment_of<T, Size>::value>(wl::lone_thread(), to, from, n, b);     \
  }                                                                                                \
  template <class Group, WL_COMMA parameters> WL_FN async_contract_fulfillment memcpy_async(const Group &g, void *to, const void *from, std::size_t n, With &b) { \
    return wl::copy_with<1>(g, to, from, n, b);                                                    \
  }                                                                                                \
  template <class Group, std::size_t A, WL_COMMA parameters> WL_FN async_contract_fulfillment memcpy_async(const Group &g, void *to, const void *from, aligned_size_t<A> n, With &b) { \
    return wl::copy_with<A>(g, to, from, n, b);                                                    \
  }                                                                                                \
  template <class Size, WL_COMMA parameters> WL_FN async_contract_fulfillment memcpy_async(void *to, const void *from, Size n, With &b) { \
    return wl::copy_with<wl::promise<Size>::align>(wl::lone_thread(), to, from, n, b);             \
  }
#define WL_COMMA
WL_MEMCPY_ASYNC(thread_scope S, pipeline<S>)
#define WL_BARRIER barrier<S, Completion>
#undef WL_COMMA
#define WL_COMMA class Completion,
WL_MEMCPY_ASYNC(thread_scope S, WL_BARRIER)
#undef WL_BARRIER
#undef WL_COMMA
#undef WL_MEMCPY_ASYNC

namespace device {
/* One bulk copy by the calling thread, counted by the barrier; the caller tells the barrier how many bytes to expect. */
template <class T, std::size_t A> WL_FN async_contract_fulfillment memcpy_async_tx(T *to, const T *from, aligned_size_t<A> n, barrier<thread_scope_block> &b) {
  static_assert(A >= 16, "memcpy_async_tx needs an aligned_size_t of 16 or more");
  wl::bulk_to_shared(to, from, (unsigned)(std::size_t)n, &b);
  return async_contract_fulfillment::async;
}
} // namespace device
} // namespace cuda
#endif
