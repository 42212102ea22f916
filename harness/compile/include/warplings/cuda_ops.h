/* cuda_ops.h - the PTX under cuda::atomic: loads, stores and read-modify-writes of 32 and 64 bits for each
 * order and scope. A sequentially consistent operation is fence.sc and then the acquiring (for stores: the relaxed)
 * one. Atomics reach shared and global memory only: one on the stack is an error of the kernel, as with NVIDIA's. */
#ifndef WARPLINGS_CUDA_OPS
#define WARPLINGS_CUDA_OPS
#include "warplings/cuda_base.h"

namespace cuda {
namespace wl {

template <unsigned long bytes> struct word;
template <> struct word<4> { using type = unsigned; };
template <> struct word<8> { using type = wl_u64; };
template <class T> using word_of = typename word<sizeof(T)>::type;

template <class To, class From> WL_FN To bits(const From &v) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To out;
  memcpy(&out, &v, sizeof out);
  return out;
}

/* Writes `statement` once for each scope; in it, X is the scope's name in PTX. The scope of one thread is a block,
 * as in NVIDIA's headers. */
#define WL_SCOPED(S, statement)                                                                    \
  if constexpr (S == thread_scope_block || S == thread_scope_thread) {                             \
    statement("cta")                                                                               \
  } else if constexpr (S == thread_scope_device) {                                                 \
    statement("gpu")                                                                               \
  } else {                                                                                         \
    statement("sys")                                                                               \
  }

template <thread_scope S> WL_FN void fence_sc() {
#define X(scope) asm volatile("fence.sc." scope ";" ::: "memory");
  WL_SCOPED(S, X)
#undef X
}
template <thread_scope S> WL_FN void fence_acq_rel() {
#define X(scope) asm volatile("fence.acq_rel." scope ";" ::: "memory");
  WL_SCOPED(S, X)
#undef X
}
template <thread_scope S> WL_FN void fence(memory_order order) {
  if (order == memory_order_seq_cst) fence_sc<S>();
  else if (order != memory_order_relaxed) fence_acq_rel<S>();
}

/* ---- loads and stores ---- */
#define WL_LOAD_STORE(type)                                                                        \
  template <thread_scope S> WL_FN type load_relaxed(const type *p) {                               \
    type v;                                                                                        \
    WL_SCOPED(S, X_RELAXED)                                                                        \
    return v;                                                                                      \
  }                                                                                                \
  template <thread_scope S> WL_FN type load_acquire(const type *p) {                               \
    type v;                                                                                        \
    WL_SCOPED(S, X_ACQUIRE)                                                                        \
    return v;                                                                                      \
  }                                                                                                \
  template <thread_scope S> WL_FN void store_relaxed(type *p, type v) { WL_SCOPED(S, X_STORE) }    \
  template <thread_scope S> WL_FN void store_release(type *p, type v) { WL_SCOPED(S, X_RELEASE) }

#define X_RELAXED(scope) asm volatile("ld.relaxed." scope ".b32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
#define X_ACQUIRE(scope) asm volatile("ld.acquire." scope ".b32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
#define X_STORE(scope)   asm volatile("st.relaxed." scope ".b32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
#define X_RELEASE(scope) asm volatile("st.release." scope ".b32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
WL_LOAD_STORE(unsigned)
#undef X_RELAXED
#undef X_ACQUIRE
#undef X_STORE
#undef X_RELEASE
#define X_RELAXED(scope) asm volatile("ld.relaxed." scope ".b64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
#define X_ACQUIRE(scope) asm volatile("ld.acquire." scope ".b64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
#define X_STORE(scope)   asm volatile("st.relaxed." scope ".b64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
#define X_RELEASE(scope) asm volatile("st.release." scope ".b64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
WL_LOAD_STORE(wl_u64)
#undef X_RELAXED
#undef X_ACQUIRE
#undef X_STORE
#undef X_RELEASE
#undef WL_LOAD_STORE

template <thread_scope S, class W> WL_FN W load(const W *p, memory_order order) {
  if (order == memory_order_relaxed) return load_relaxed<S>(p);
  if (order == memory_order_seq_cst) fence_sc<S>();
  return load_acquire<S>(p);
}
template <thread_scope S, class W> WL_FN void store(W *p, W v, memory_order order) {
  if (order == memory_order_release) {
    store_release<S>(p, v);
  } else {
    if (order == memory_order_seq_cst) fence_sc<S>();
    store_relaxed<S>(p, v);
  }
}

/* ---- read-modify-write: name(p, v, order) gives the old value ---- */
#define WL_ORDERS(S, order, one)                                                                   \
  switch (order) {                                                                                 \
  case memory_order_relaxed: WL_SCOPED(S, one##_RELAXED) break;                                    \
  case memory_order_release: WL_SCOPED(S, one##_RELEASE) break;                                    \
  case memory_order_acq_rel: WL_SCOPED(S, one##_ACQ_REL) break;                                    \
  default:                                                                                         \
    if (order == memory_order_seq_cst) fence_sc<S>();                                              \
    WL_SCOPED(S, one##_ACQUIRE)                                                                    \
  }
#define X_ONE(order, scope)  asm volatile("atom." order "." scope "." WL_OPERATION " %0, [%1], %2;" : "=" WL_KIND(old) : "l"(p), WL_KIND(v) : "memory");
#define X_RELAXED(scope)     X_ONE("relaxed", scope)
#define X_RELEASE(scope)     X_ONE("release", scope)
#define X_ACQ_REL(scope)     X_ONE("acq_rel", scope)
#define X_ACQUIRE(scope)     X_ONE("acquire", scope)
#define WL_RMW(name, type)                                                                         \
  template <thread_scope S> WL_FN type name(type *p, type v, memory_order order) {                 \
    type old;                                                                                      \
    WL_ORDERS(S, order, X)                                                                         \
    return old;                                                                                    \
  }

#define WL_KIND "r"
#define WL_OPERATION "exch.b32"
WL_RMW(exchange, unsigned)
#undef WL_OPERATION
#define WL_OPERATION "add.u32"
WL_RMW(add, unsigned)
#undef WL_OPERATION
#define WL_OPERATION "and.b32"
WL_RMW(bit_and, unsigned)
#undef WL_OPERATION
#define WL_OPERATION "or.b32"
WL_RMW(bit_or, unsigned)
#undef WL_OPERATION
#define WL_OPERATION "xor.b32"
WL_RMW(bit_xor, unsigned)
#undef WL_OPERATION
#define WL_OPERATION "min.u32"
WL_RMW(least, unsigned)
#undef WL_OPERATION
#define WL_OPERATION "max.u32"
WL_RMW(most, unsigned)
#undef WL_OPERATION
#define WL_OPERATION "min.s32"
WL_RMW(least, int)
#undef WL_OPERATION
#define WL_OPERATION "max.s32"
WL_RMW(most, int)
#undef WL_OPERATION
#undef WL_KIND

#define WL_KIND "l"
#define WL_OPERATION "exch.b64"
WL_RMW(exchange, wl_u64)
#undef WL_OPERATION
#define WL_OPERATION "add.u64"
WL_RMW(add, wl_u64)
#undef WL_OPERATION
#define WL_OPERATION "and.b64"
WL_RMW(bit_and, wl_u64)
#undef WL_OPERATION
#define WL_OPERATION "or.b64"
WL_RMW(bit_or, wl_u64)
#undef WL_OPERATION
#define WL_OPERATION "xor.b64"
WL_RMW(bit_xor, wl_u64)
#undef WL_OPERATION
#define WL_OPERATION "min.u64"
WL_RMW(least, wl_u64)
#undef WL_OPERATION
#define WL_OPERATION "max.u64"
WL_RMW(most, wl_u64)
#undef WL_OPERATION
#define WL_OPERATION "min.s64"
WL_RMW(least, long long)
#undef WL_OPERATION
#define WL_OPERATION "max.s64"
WL_RMW(most, long long)
#undef WL_OPERATION
#undef WL_KIND

#define WL_KIND "f"
#define WL_OPERATION "add.f32"
WL_RMW(add, float)
#undef WL_OPERATION
#undef WL_KIND
#define WL_KIND "d"
#define WL_OPERATION "add.f64"
WL_RMW(add, double)
#undef WL_OPERATION
#undef WL_KIND
#undef WL_RMW
#undef X_ONE

/* ---- compare and swap: the old value ---- */
#define X_ONE(order, scope)  asm volatile("atom." order "." scope ".cas." WL_OPERATION " %0, [%1], %2, %3;" : "=" WL_KIND(old) : "l"(p), WL_KIND(expected), WL_KIND(v) : "memory");
#define WL_CAS(type)                                                                               \
  template <thread_scope S> WL_FN type cas(type *p, type expected, type v, memory_order order) {   \
    type old;                                                                                      \
    WL_ORDERS(S, order, X)                                                                         \
    return old;                                                                                    \
  }
#define WL_KIND "r"
#define WL_OPERATION "b32"
WL_CAS(unsigned)
#undef WL_OPERATION
#undef WL_KIND
#define WL_KIND "l"
#define WL_OPERATION "b64"
WL_CAS(wl_u64)
#undef WL_OPERATION
#undef WL_KIND
#undef WL_CAS
#undef X_ONE
#undef X_RELAXED
#undef X_RELEASE
#undef X_ACQ_REL
#undef X_ACQUIRE

/* What a compare-and-swap must order, given both of its orders. */
WL_FN memory_order stronger(memory_order success, memory_order failure) {
  memory_order most = success > failure ? success : failure, least = success > failure ? failure : success;
  return most == memory_order_release && (least == memory_order_acquire || least == memory_order_consume) ? memory_order_acq_rel : most;
}
/* The order of the failing case, when only one was named. */
WL_FN memory_order when_failing(memory_order order) {
  if (order == memory_order_acq_rel) return memory_order_acquire;
  return order == memory_order_release ? memory_order_relaxed : order;
}

} // namespace wl
} // namespace cuda
#endif
