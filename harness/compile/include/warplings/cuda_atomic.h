/* cuda_atomic.h - <cuda/atomic>, <cuda/std/atomic>: atomic, atomic_ref, fences. See cuda_base.h for what these headers
 * are. An atomic of 1 or 2 bytes lives in a word of 4, as in NVIDIA's; its arithmetic, and references to such small
 * variables, are left to NVIDIA's. */
#ifndef WARPLINGS_CUDA_ATOMIC
#define WARPLINGS_CUDA_ATOMIC
#include "warplings/cuda_ops.h"

namespace cuda {
namespace wl {

/* The word that holds a T, and the way from one to the other. */
template <class T, bool small = (sizeof(T) < 4)> struct store_as {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, WL_NEEDS_TOOLKIT);
  using word = word_of<T>;
  static WL_MEMBER word in(T v) { return bits<word>(v); }
  static WL_MEMBER T out(word w) { return bits<T>(w); }
};
template <class T> struct store_as<T, true> {
  static_assert(std::wl_integer<T>::value || std::wl_same<T, bool>::value, WL_NEEDS_TOOLKIT);
  using word = unsigned;
  static WL_MEMBER word in(T v) { return (word)(int)v; }
  static WL_MEMBER T out(word w) { return (T)w; }
};

/* Everything that an atomic and a reference to one can do, on the word at p. */
template <class T, thread_scope S> struct operations {
  using as = store_as<T>;
  using word = typename as::word;
  static WL_MEMBER word *at(const void *p) { return (word *)(void *)p; }

  static WL_MEMBER T load(const void *p, memory_order order) { return as::out(wl::load<S>(at(p), order)); }
  static WL_MEMBER void store(void *p, T v, memory_order order) { wl::store<S>(at(p), as::in(v), order); }
  static WL_MEMBER T exchange(void *p, T v, memory_order order) { return as::out(wl::exchange<S>(at(p), as::in(v), order)); }
  static WL_MEMBER bool cas(void *p, T &expected, T v, memory_order success, memory_order failure) {
    word want = as::in(expected), old = wl::cas<S>(at(p), want, as::in(v), stronger(success, failure));
    if (old == want) return true;
    expected = as::out(old);
    return false;
  }
  static WL_MEMBER void wait(const void *p, T old, memory_order order) {
    unsigned pause = 8;
    while (load(p, order) == old) {
      __nanosleep(pause);
      if (pause < 256) pause *= 2;
    }
  }

  static WL_MEMBER T add(void *p, T v, memory_order order) {
    static_assert(sizeof(T) >= 4, WL_NEEDS_TOOLKIT);
    if constexpr (std::wl_floating<T>::value) return wl::add<S>((T *)p, v, order);
    else return as::out(wl::add<S>(at(p), as::in(v), order));
  }
  static WL_MEMBER T bit_and(void *p, T v, memory_order order) { return as::out(wl::bit_and<S>(at(p), as::in(v), order)); }
  static WL_MEMBER T bit_or(void *p, T v, memory_order order) { return as::out(wl::bit_or<S>(at(p), as::in(v), order)); }
  static WL_MEMBER T bit_xor(void *p, T v, memory_order order) { return as::out(wl::bit_xor<S>(at(p), as::in(v), order)); }

  /* PTX has no minimum or maximum of floating-point values: compare and swap until it holds. */
  static WL_MEMBER T extreme(void *p, T v, memory_order order, bool greatest) {
    T old = load(p, memory_order_relaxed);
    while (!cas(p, old, greatest ? (old < v ? v : old) : (v < old ? v : old), order, order)) {}
    return old;
  }
  template <class Signed> static WL_MEMBER T integer_extreme(void *p, T v, memory_order order, bool greatest) {
    return (T)(greatest ? wl::most<S>((Signed *)p, (Signed)v, order) : wl::least<S>((Signed *)p, (Signed)v, order));
  }
  static WL_MEMBER T extreme_of(void *p, T v, memory_order order, bool greatest) {
    static_assert(sizeof(T) >= 4, WL_NEEDS_TOOLKIT);
    if constexpr (std::wl_floating<T>::value) return extreme(p, v, order, greatest);
    else if constexpr ((T)-1 < (T)0 && sizeof(T) == 4) return integer_extreme<int>(p, v, order, greatest);
    else if constexpr ((T)-1 < (T)0) return integer_extreme<long long>(p, v, order, greatest);
    else return integer_extreme<word>(p, v, order, greatest);
  }
};

/* The members, once for both classes: `self` is where the value is, `how` is const for a reference. */
#define WL_ATOMIC_COMMON(self, how)                                                                \
  using value_type = T;                                                                            \
  static constexpr bool is_always_lock_free = true;                                                \
  WL_MEMBER bool is_lock_free() const noexcept { return true; }                                    \
  WL_MEMBER T load(memory_order o = memory_order_seq_cst) const noexcept { return op::load(self, o); } \
  WL_MEMBER operator T() const noexcept { return load(); }                                         \
  WL_MEMBER void store(T v, memory_order o = memory_order_seq_cst) how noexcept { op::store(self, v, o); } \
  WL_MEMBER T operator=(T v) how noexcept { store(v); return v; }                                  \
  WL_MEMBER T exchange(T v, memory_order o = memory_order_seq_cst) how noexcept { return op::exchange(self, v, o); } \
  WL_MEMBER bool compare_exchange_strong(T &e, T v, memory_order s, memory_order f) how noexcept { return op::cas(self, e, v, s, f); } \
  WL_MEMBER bool compare_exchange_strong(T &e, T v, memory_order o = memory_order_seq_cst) how noexcept { return op::cas(self, e, v, o, wl::when_failing(o)); } \
  WL_MEMBER bool compare_exchange_weak(T &e, T v, memory_order s, memory_order f) how noexcept { return op::cas(self, e, v, s, f); } \
  WL_MEMBER bool compare_exchange_weak(T &e, T v, memory_order o = memory_order_seq_cst) how noexcept { return op::cas(self, e, v, o, wl::when_failing(o)); } \
  WL_MEMBER void wait(T old, memory_order o = memory_order_seq_cst) const noexcept { op::wait(self, old, o); } \
  WL_MEMBER void notify_one() how noexcept {}                                                      \
  WL_MEMBER void notify_all() how noexcept {}
#define WL_ATOMIC_ARITHMETIC(self, how)                                                            \
  WL_MEMBER T fetch_add(T v, memory_order o = memory_order_seq_cst) how noexcept { return op::add(self, v, o); } \
  WL_MEMBER T fetch_sub(T v, memory_order o = memory_order_seq_cst) how noexcept { return op::add(self, -v, o); } \
  WL_MEMBER T operator++(int) how noexcept { return fetch_add(T(1)); }                             \
  WL_MEMBER T operator--(int) how noexcept { return fetch_sub(T(1)); }                             \
  WL_MEMBER T operator++() how noexcept { return fetch_add(T(1)) + T(1); }                         \
  WL_MEMBER T operator--() how noexcept { return fetch_sub(T(1)) - T(1); }                         \
  WL_MEMBER T operator+=(T v) how noexcept { return fetch_add(v) + v; }                            \
  WL_MEMBER T operator-=(T v) how noexcept { return fetch_sub(v) - v; }                            \
  WL_MEMBER T fetch_min(T v, memory_order o = memory_order_seq_cst) how noexcept { return op::extreme_of(self, v, o, false); } \
  WL_MEMBER T fetch_max(T v, memory_order o = memory_order_seq_cst) how noexcept { return op::extreme_of(self, v, o, true); }
#define WL_ATOMIC_BITS(self, how)                                                                  \
  WL_MEMBER T fetch_and(T v, memory_order o = memory_order_seq_cst) how noexcept { return op::bit_and(self, v, o); } \
  WL_MEMBER T fetch_or(T v, memory_order o = memory_order_seq_cst) how noexcept { return op::bit_or(self, v, o); } \
  WL_MEMBER T fetch_xor(T v, memory_order o = memory_order_seq_cst) how noexcept { return op::bit_xor(self, v, o); } \
  WL_MEMBER T operator&=(T v) how noexcept { return fetch_and(v) & v; }                            \
  WL_MEMBER T operator|=(T v) how noexcept { return fetch_or(v) | v; }                             \
  WL_MEMBER T operator^=(T v) how noexcept { return fetch_xor(v) ^ v; }
/* Steps of a pointer count elements. */
#define WL_ATOMIC_POINTER(self, how)                                                               \
  WL_MEMBER T fetch_add(std::ptrdiff_t n, memory_order o = memory_order_seq_cst) how noexcept { return (T)wl::add<S>((wl_u64 *)(void *)self, (wl_u64)n * sizeof(*T()), o); } \
  WL_MEMBER T fetch_sub(std::ptrdiff_t n, memory_order o = memory_order_seq_cst) how noexcept { return fetch_add(-n, o); } \
  WL_MEMBER T operator++(int) how noexcept { return fetch_add(1); }                                \
  WL_MEMBER T operator--(int) how noexcept { return fetch_sub(1); }                                \
  WL_MEMBER T operator++() how noexcept { return fetch_add(1) + 1; }                               \
  WL_MEMBER T operator--() how noexcept { return fetch_sub(1) - 1; }                               \
  WL_MEMBER T operator+=(std::ptrdiff_t n) how noexcept { return fetch_add(n) + n; }               \
  WL_MEMBER T operator-=(std::ptrdiff_t n) how noexcept { return fetch_sub(n) - n; }

enum sort { OTHER, POINTER, FLOATING, INTEGER };
template <class T> struct sort_of {
  static constexpr sort value = std::wl_pointer<T>::value ? POINTER : std::wl_floating<T>::value ? FLOATING : std::wl_integer<T>::value ? INTEGER : OTHER;
};

/* The storage of an atomic: a T with a T's alignment for atomics, or the word that holds a smaller one. */
template <class T, bool small = (sizeof(T) < 4)> struct holder {
  alignas(sizeof(T) == 4 || sizeof(T) == 8 ? sizeof(T) : alignof(T)) T held;
  holder() = default;
  WL_EARLY holder(T v) : held(v) {}
};
template <class T> struct holder<T, true> {
  unsigned held;
  holder() = default;
  WL_EARLY holder(T v) : held((unsigned)(int)v) {}
};

#define WL_OWNED(sort, members)                                                                    \
  template <class T, thread_scope S> struct owned<T, S, sort> {                                    \
    using op = operations<T, S>;                                                                   \
    holder<T> place;                                                                               \
    owned() = default;                                                                             \
    WL_EARLY owned(T v) : place(v) {}                                                              \
    owned(const owned &) = delete;                                                                 \
    owned &operator=(const owned &) = delete;                                                      \
    WL_ATOMIC_COMMON(&place.held, )                                                                \
    members                                                                                        \
  };
#define WL_REFERENCE(sort, members)                                                                \
  template <class T, thread_scope S> struct reference<T, S, sort> {                                \
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, WL_NEEDS_TOOLKIT);                             \
    using op = operations<T, S>;                                                                   \
    T *place;                                                                                      \
    static constexpr unsigned long required_alignment = sizeof(T);                                 \
    WL_EARLY explicit reference(T &v) : place(&v) {}                                               \
    reference(const reference &) = default;                                                        \
    reference &operator=(const reference &) = delete;                                              \
    WL_ATOMIC_COMMON(place, const)                                                                 \
    members                                                                                        \
  };
template <class T, thread_scope S, sort = sort_of<T>::value> struct owned;
template <class T, thread_scope S, sort = sort_of<T>::value> struct reference;
WL_OWNED(OTHER, )
WL_OWNED(POINTER, WL_ATOMIC_POINTER(&place.held, ))
WL_OWNED(FLOATING, WL_ATOMIC_ARITHMETIC(&place.held, ))
WL_OWNED(INTEGER, WL_ATOMIC_ARITHMETIC(&place.held, ) WL_ATOMIC_BITS(&place.held, ))
WL_REFERENCE(OTHER, )
WL_REFERENCE(POINTER, WL_ATOMIC_POINTER(place, const))
WL_REFERENCE(FLOATING, WL_ATOMIC_ARITHMETIC(place, const))
WL_REFERENCE(INTEGER, WL_ATOMIC_ARITHMETIC(place, const) WL_ATOMIC_BITS(place, const))
#undef WL_OWNED
#undef WL_REFERENCE
#undef WL_ATOMIC_COMMON
#undef WL_ATOMIC_ARITHMETIC
#undef WL_ATOMIC_BITS
#undef WL_ATOMIC_POINTER

} // namespace wl

template <class T, thread_scope S = thread_scope_system> struct atomic : wl::owned<T, S> {
  atomic() = default;
  WL_EARLY atomic(T v) noexcept : wl::owned<T, S>(v) {}
  using wl::owned<T, S>::operator=;
};
template <class T, thread_scope S = thread_scope_system> struct atomic_ref : wl::reference<T, S> {
  WL_EARLY explicit atomic_ref(T &v) : wl::reference<T, S>(v) {}
  using wl::reference<T, S>::operator=;
};

/* The scope is one of the few values above; each has its own instruction. */
WL_FN void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (scope == thread_scope_system) wl::fence<thread_scope_system>(order);
  else if (scope == thread_scope_device) wl::fence<thread_scope_device>(order);
  else wl::fence<thread_scope_block>(order);
}
WL_FN void atomic_signal_fence(memory_order) { asm volatile("" ::: "memory"); }

namespace std {
template <class T> struct atomic : cuda::wl::owned<T, thread_scope_system> {
  atomic() = default;
  WL_EARLY atomic(T v) noexcept : cuda::wl::owned<T, thread_scope_system>(v) {}
  using cuda::wl::owned<T, thread_scope_system>::operator=;
};
template <class T> struct atomic_ref : cuda::wl::reference<T, thread_scope_system> {
  WL_EARLY explicit atomic_ref(T &v) : cuda::wl::reference<T, thread_scope_system>(v) {}
  using cuda::wl::reference<T, thread_scope_system>::operator=;
};
WL_FN void atomic_thread_fence(memory_order order) { cuda::wl::fence<thread_scope_system>(order); }
WL_FN void atomic_signal_fence(memory_order) { asm volatile("" ::: "memory"); }
using atomic_bool = atomic<bool>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_size_t = atomic<size_t>;
} // namespace std
} // namespace cuda
#endif
