/* cuda_base.h - what our headers of libcu++'s names share: qualifiers for both compilers, scopes, memory orders,
 * and the few names of cuda::std that they need. The files go under several names, hence guards.
 *
 * NVIDIA's own headers of these names cost NVRTC 0.8 to 1.3 seconds, and clang cannot read them. Ours have the
 * same names, layouts and PTX. What they lack does not compile with them: compile/ then turns to NVIDIA's. */
#ifndef WARPLINGS_CUDA_BASE
#define WARPLINGS_CUDA_BASE
#include "stdint.h"

#ifdef __CUDACC_RTC__
#define WL_FN     inline __device__ __attribute__((always_inline))
#define WL_MEMBER __device__ __attribute__((always_inline))
typedef unsigned long long wl_u64;
#else
#define WL_HAS_CLANG 1
#endif
/* A member that may also run before the kernel does: constructors of `__device__` variables. */
#define WL_EARLY __host__ __device__ constexpr

#define WL_NEEDS_TOOLKIT "warplings: needs the CUDA toolkit"

namespace cuda {
namespace std {

using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intptr_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype((char *)0 - (char *)0);

enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};

using ::std::forward; /* NVRTC has these two built in, base.h gives them to clang */
using ::std::move;

template <class A, class B> struct wl_same { static constexpr bool value = false; };
template <class A> struct wl_same<A, A> { static constexpr bool value = true; };
template <class T, class... Any> struct wl_among { static constexpr bool value = (wl_same<T, Any>::value || ...); };
template <class T> struct wl_floating { static constexpr bool value = wl_among<T, float, double>::value; };
template <class T> struct wl_integer {
  static constexpr bool value = wl_among<T, char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long>::value;
};
template <class T> struct wl_pointer { static constexpr bool value = false; };
template <class T> struct wl_pointer<T *> { static constexpr bool value = true; };

} // namespace std

enum thread_scope { thread_scope_system = 0, thread_scope_device = 1, thread_scope_block = 2, thread_scope_thread = 10 };

using std::memory_order;
using std::memory_order_relaxed;
using std::memory_order_consume;
using std::memory_order_acquire;
using std::memory_order_release;
using std::memory_order_acq_rel;
using std::memory_order_seq_cst;

namespace std {
using cuda::thread_scope;
using cuda::thread_scope_system;
using cuda::thread_scope_device;
using cuda::thread_scope_block;
using cuda::thread_scope_thread;
} // namespace std
} // namespace cuda
#endif
