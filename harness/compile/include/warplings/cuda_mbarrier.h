/* cuda_mbarrier.h - the instructions of the barrier object in shared memory (mbarrier), and of bulk copies, as functions.
 * clang's target has no mbarrier.try_wait: there the test is repeated, which means the same. */
#ifndef WARPLINGS_CUDA_MBARRIER
#define WARPLINGS_CUDA_MBARRIER
#include "warplings/cuda_base.h"

namespace cuda {
namespace wl {

WL_FN unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

#ifdef WL_HAS_CLANG
#define WL_WAIT "test_wait"
#else
#define WL_WAIT "try_wait"
#endif

WL_FN void mbarrier_init(void *b, unsigned expected) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(expected) : "memory"); }
WL_FN void mbarrier_inval(void *b) { asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(shared_address(b)) : "memory"); }
WL_FN wl_u64 mbarrier_arrive(void *b, unsigned n) {
  wl_u64 token;
#ifdef WL_HAS_CLANG
  if (n > 1) asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(shared_address(b)), "r"(n - 1) : "memory");
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared_address(b)) : "memory");
#else
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(shared_address(b)), "r"(n) : "memory");
#endif
  return token;
}
WL_FN wl_u64 mbarrier_arrive_drop(void *b) {
  wl_u64 token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared_address(b)) : "memory");
  return token;
}
WL_FN bool mbarrier_try_wait(const void *b, wl_u64 token) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier." WL_WAIT ".shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared_address(b)), "l"(token) : "memory");
  return done;
}
WL_FN bool mbarrier_try_wait_parity(const void *b, bool parity) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier." WL_WAIT ".parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared_address(b)), "r"((unsigned)parity) : "memory");
  return done;
}
WL_FN bool mbarrier_test_wait(const void *b, wl_u64 token) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared_address(b)), "l"(token) : "memory");
  return done;
}
WL_FN bool mbarrier_test_wait_parity(const void *b, bool parity) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared_address(b)), "r"((unsigned)parity) : "memory");
  return done;
}
WL_FN unsigned mbarrier_pending(wl_u64 token) {
  unsigned n;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(token));
  return n;
}
WL_FN void mbarrier_expect_tx(void *b, unsigned bytes) { asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(bytes) : "memory"); }
WL_FN wl_u64 mbarrier_arrive_expect_tx(void *b, unsigned bytes) {
  wl_u64 token;
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;" : "=l"(token) : "r"(shared_address(b)), "r"(bytes) : "memory");
  return token;
}

/* ---- copies ---- */

/* One of 4, 8 or 16 bytes; the last `zeros` of them are zero instead. */
template <unsigned bytes> WL_FN void copy_piece(void *to, const void *from, unsigned zeros = 0) {
  static_assert(bytes == 4 || bytes == 8 || bytes == 16, "an asynchronous copy moves 4, 8 or 16 bytes");
  if constexpr (bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(__cvta_generic_to_global(from)), "r"(16 - zeros) : "memory");
  else asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared_address(to)), "l"(__cvta_generic_to_global(from)), "n"(bytes), "r"(bytes - zeros) : "memory");
}
WL_FN void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <unsigned others> WL_FN void copy_wait() { asm volatile("cp.async.wait_group %0;" ::"n"(others) : "memory"); }
WL_FN void copy_wait_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }
/* The barrier's phase does not end before this thread's copies so far have: one more is pending until then. */
WL_FN void copy_arrive(void *b) { asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(shared_address(b)) : "memory"); }
WL_FN void copy_arrive_noinc(void *b) { asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(b)) : "memory"); }

WL_FN void bulk_to_shared(void *to, const void *from, unsigned bytes, void *b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(b)) : "memory");
}
WL_FN void bulk_to_global(void *to, const void *from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)), "r"(shared_address(from)), "r"(bytes) : "memory");
}
WL_FN void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <unsigned others> WL_FN void bulk_wait_read() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(others) : "memory"); }
WL_FN void fence_proxy_shared() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

} // namespace wl
} // namespace cuda
#endif
