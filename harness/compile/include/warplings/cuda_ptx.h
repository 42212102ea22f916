/* cuda_ptx.h - <cuda/ptx>: one function for each instruction that our machine knows of barrier objects, fences, clusters
 * and special registers; tags choose the form. Asynchronous copies, stores and reductions are in cuda_ptx_copy.h.
 * What only newer targets have (tcgen05, multimem, tensor copies) is NVIDIA's. */
#ifndef WARPLINGS_CUDA_PTX
#define WARPLINGS_CUDA_PTX
#include "warplings/cuda_mbarrier.h"
#include "warplings/traits.h"

namespace cuda {
namespace ptx {

enum class dot_sem { acq_rel, acquire, relaxed, release, sc, weak };
enum class dot_space { global, cluster, shared };
enum class dot_scope { cta, cluster, gpu, sys };
enum class dot_op { add, dec, inc, max, min, and_op, or_op, xor_op, cas, exch };
template <dot_sem v> using sem_t = std::integral_constant<dot_sem, v>;
template <dot_space v> using space_t = std::integral_constant<dot_space, v>;
template <dot_scope v> using scope_t = std::integral_constant<dot_scope, v>;
template <dot_op v> using op_t = std::integral_constant<dot_op, v>;
template <int n> using n32_t = std::integral_constant<int, n>;
#define WL_TAG(kind, name)                                                                         \
  using kind##_##name##_t = kind##_t<dot_##kind::name>;                                            \
  static constexpr kind##_##name##_t kind##_##name{};
WL_TAG(sem, acq_rel) WL_TAG(sem, acquire) WL_TAG(sem, relaxed) WL_TAG(sem, release) WL_TAG(sem, sc) WL_TAG(sem, weak)
WL_TAG(space, global) WL_TAG(space, cluster) WL_TAG(space, shared)
WL_TAG(scope, cta) WL_TAG(scope, cluster) WL_TAG(scope, gpu) WL_TAG(scope, sys)
WL_TAG(op, add) WL_TAG(op, dec) WL_TAG(op, inc) WL_TAG(op, max) WL_TAG(op, min)
WL_TAG(op, and_op) WL_TAG(op, or_op) WL_TAG(op, xor_op) WL_TAG(op, cas) WL_TAG(op, exch)
#undef WL_TAG

using std::int32_t;
using std::int64_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using wl::shared_address;

/* An instruction that has a form for each of several scopes. */
#define WL_OF_BLOCK(scope) scope == dot_scope::cta
#define WL_ASM(text, ...) asm volatile(text __VA_ARGS__ : "memory")

/* ---- barrier objects ---- */
WL_FN void mbarrier_init(uint64_t *b, const uint32_t &n) { wl::mbarrier_init(b, n); }
WL_FN uint64_t mbarrier_arrive(uint64_t *b) {
  uint64_t token;
  WL_ASM("mbarrier.arrive.shared.b64 %0, [%1];", : "=l"(token) : "r"(shared_address(b)));
  return token;
}
WL_FN uint64_t mbarrier_arrive(uint64_t *b, const uint32_t &n) {
  uint64_t token;
  WL_ASM("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;", : "=l"(token) : "r"(shared_address(b)), "r"(n));
  return token;
}
WL_FN uint64_t mbarrier_arrive_no_complete(uint64_t *b, const uint32_t &n) {
  uint64_t token;
  WL_ASM("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;", : "=l"(token) : "r"(shared_address(b)), "r"(n));
  return token;
}
#define WL_ARRIVE(sem)                                                                             \
  template <dot_scope S> WL_FN uint64_t mbarrier_arrive(sem_##sem##_t, scope_t<S>, space_shared_t, uint64_t *b) { \
    static_assert(S == dot_scope::cta || S == dot_scope::cluster, "a barrier's scope is the block or the cluster"); \
    uint64_t token;                                                                                \
    if constexpr (WL_OF_BLOCK(S)) WL_ASM("mbarrier.arrive." #sem ".cta.shared::cta.b64 %0, [%1];", : "=l"(token) : "r"(shared_address(b))); \
    else WL_ASM("mbarrier.arrive." #sem ".cluster.shared::cta.b64 %0, [%1];", : "=l"(token) : "r"(shared_address(b))); \
    return token;                                                                                  \
  }                                                                                                \
  WL_ARRIVE_N(mbarrier_arrive, "mbarrier.arrive.", sem)                                            \
  WL_ARRIVE_N(mbarrier_arrive_expect_tx, "mbarrier.arrive.expect_tx.", sem)                        \
  WL_FN void mbarrier_arrive(sem_##sem##_t, scope_cluster_t, space_cluster_t, uint64_t *b) { WL_ASM("mbarrier.arrive." #sem ".cluster.shared::cluster.b64 _, [%0];", ::"r"(shared_address(b))); }
#define WL_ARRIVE_N(name, start, sem)                                                              \
  template <dot_scope S> WL_FN uint64_t name(sem_##sem##_t, scope_t<S>, space_shared_t, uint64_t *b, const uint32_t &n) { \
    static_assert(S == dot_scope::cta || S == dot_scope::cluster, "a barrier's scope is the block or the cluster"); \
    uint64_t token;                                                                                \
    if constexpr (WL_OF_BLOCK(S)) WL_ASM(start #sem ".cta.shared::cta.b64 %0, [%1], %2;", : "=l"(token) : "r"(shared_address(b)), "r"(n)); \
    else WL_ASM(start #sem ".cluster.shared::cta.b64 %0, [%1], %2;", : "=l"(token) : "r"(shared_address(b)), "r"(n)); \
    return token;                                                                                  \
  }                                                                                                \
  WL_FN void name(sem_##sem##_t, scope_cluster_t, space_cluster_t, uint64_t *b, const uint32_t &n) { WL_ASM(start #sem ".cluster.shared::cluster.b64 _, [%0], %1;", ::"r"(shared_address(b)), "r"(n)); }
WL_ARRIVE(release)
WL_ARRIVE(relaxed)
#undef WL_ARRIVE
#undef WL_ARRIVE_N

#define WL_EXPECT(tag, space)                                                                      \
  template <dot_scope S> WL_FN void mbarrier_expect_tx(sem_relaxed_t, scope_t<S>, tag, uint64_t *b, uint32_t n) { \
    static_assert(S == dot_scope::cta || S == dot_scope::cluster, "a barrier's scope is the block or the cluster"); \
    if constexpr (WL_OF_BLOCK(S)) WL_ASM("mbarrier.expect_tx.relaxed.cta." space ".b64 [%0], %1;", ::"r"(shared_address(b)), "r"(n)); \
    else WL_ASM("mbarrier.expect_tx.relaxed.cluster." space ".b64 [%0], %1;", ::"r"(shared_address(b)), "r"(n)); \
  }
WL_EXPECT(space_shared_t, "shared::cta")
WL_EXPECT(space_cluster_t, "shared::cluster")
#undef WL_EXPECT

/* Has the phase ended? Asked by token or by parity, with or without a time to sleep. */
#define WL_PRED(op, more) "{ .reg .pred p; " op " p, [%1], %2" more "; selp.b32 %0, 1, 0, p; }"
#define WL_ASK(name, op, space, type, letter)                                                      \
  WL_FN bool name(uint64_t *b, const type &phase) {                                                \
    uint32_t done;                                                                                 \
    WL_ASM(WL_PRED(op "." space ".b64", ""), : "=r"(done) : "r"(shared_address(b)), letter(phase)); \
    return done;                                                                                   \
  }                                                                                                \
  WL_ASK_AS(name, op, type, letter, acquire)                                                       \
  WL_ASK_AS(name, op, type, letter, relaxed)
#define WL_ASK_AS(name, op, type, letter, sem)                                                     \
  template <dot_scope S> WL_FN bool name(sem_##sem##_t, scope_t<S>, uint64_t *b, const type &phase) { \
    static_assert(S == dot_scope::cta || S == dot_scope::cluster, "a barrier's scope is the block or the cluster"); \
    uint32_t done;                                                                                 \
    if constexpr (WL_OF_BLOCK(S)) WL_ASM(WL_PRED(op "." #sem ".cta.shared::cta.b64", ""), : "=r"(done) : "r"(shared_address(b)), letter(phase)); \
    else WL_ASM(WL_PRED(op "." #sem ".cluster.shared::cta.b64", ""), : "=r"(done) : "r"(shared_address(b)), letter(phase)); \
    return done;                                                                                   \
  }
#define WL_TRY(name, op, type, letter)                                                             \
  WL_ASK(name, op, "shared::cta", type, letter)                                                    \
  WL_FN bool name(uint64_t *b, const type &phase, const uint32_t &ns) {                            \
    uint32_t done;                                                                                 \
    WL_ASM(WL_PRED(op ".shared::cta.b64", ", %3"), : "=r"(done) : "r"(shared_address(b)), letter(phase), "r"(ns)); \
    return done;                                                                                   \
  }                                                                                                \
  WL_TRY_AS(name, op, type, letter, acquire)                                                       \
  WL_TRY_AS(name, op, type, letter, relaxed)
#define WL_TRY_AS(name, op, type, letter, sem)                                                     \
  template <dot_scope S> WL_FN bool name(sem_##sem##_t, scope_t<S>, uint64_t *b, const type &phase, const uint32_t &ns) { \
    static_assert(S == dot_scope::cta || S == dot_scope::cluster, "a barrier's scope is the block or the cluster"); \
    uint32_t done;                                                                                 \
    if constexpr (WL_OF_BLOCK(S)) WL_ASM(WL_PRED(op "." #sem ".cta.shared::cta.b64", ", %3"), : "=r"(done) : "r"(shared_address(b)), letter(phase), "r"(ns)); \
    else WL_ASM(WL_PRED(op "." #sem ".cluster.shared::cta.b64", ", %3"), : "=r"(done) : "r"(shared_address(b)), letter(phase), "r"(ns)); \
    return done;                                                                                   \
  }
WL_ASK(mbarrier_test_wait, "mbarrier.test_wait", "shared", uint64_t, "l")
WL_ASK(mbarrier_test_wait_parity, "mbarrier.test_wait.parity", "shared", uint32_t, "r")
WL_TRY(mbarrier_try_wait, "mbarrier.try_wait", uint64_t, "l")
WL_TRY(mbarrier_try_wait_parity, "mbarrier.try_wait.parity", uint32_t, "r")
#undef WL_ASK
#undef WL_ASK_AS
#undef WL_TRY
#undef WL_TRY_AS
#undef WL_PRED

/* ---- fences, barriers of clusters ---- */
#define WL_FENCE(sem)                                                                              \
  template <dot_scope S> WL_FN void fence(sem_##sem##_t, scope_t<S>) {                             \
    if constexpr (S == dot_scope::cta) WL_ASM("fence." #sem ".cta;", ::);                          \
    else if constexpr (S == dot_scope::cluster) WL_ASM("fence." #sem ".cluster;", ::);             \
    else if constexpr (S == dot_scope::gpu) WL_ASM("fence." #sem ".gpu;", ::);                     \
    else WL_ASM("fence." #sem ".sys;", ::);                                                        \
  }
WL_FENCE(sc)
WL_FENCE(acq_rel)
WL_FENCE(acquire)
WL_FENCE(release)
#undef WL_FENCE
WL_FN void fence_mbarrier_init(sem_release_t, scope_cluster_t) { WL_ASM("fence.mbarrier_init.release.cluster;", ::); }
WL_FN void fence_proxy_alias() { WL_ASM("fence.proxy.alias;", ::); }
WL_FN void fence_proxy_async() { WL_ASM("fence.proxy.async;", ::); }
template <dot_space S> WL_FN void fence_proxy_async(space_t<S>) {
  if constexpr (S == dot_space::global) WL_ASM("fence.proxy.async.global;", ::);
  else if constexpr (S == dot_space::cluster) WL_ASM("fence.proxy.async.shared::cluster;", ::);
  else WL_ASM("fence.proxy.async.shared::cta;", ::);
}
WL_FN void fence_sync_restrict(sem_acquire_t, space_cluster_t, scope_cluster_t) { WL_ASM("fence.acquire.sync_restrict::shared::cluster.cluster;", ::); }
WL_FN void fence_sync_restrict(sem_release_t, space_shared_t, scope_cluster_t) { WL_ASM("fence.release.sync_restrict::shared::cta.cluster;", ::); }
WL_FN void fence_proxy_async_generic_sync_restrict(sem_acquire_t, space_cluster_t, scope_cluster_t) { WL_ASM("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;", ::); }
WL_FN void fence_proxy_async_generic_sync_restrict(sem_release_t, space_shared_t, scope_cluster_t) { WL_ASM("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;", ::); }

WL_FN void barrier_cluster_arrive() { WL_ASM("barrier.cluster.arrive;", ::); }
WL_FN void barrier_cluster_wait() { WL_ASM("barrier.cluster.wait;", ::); }
WL_FN void barrier_cluster_arrive(sem_release_t) { WL_ASM("barrier.cluster.arrive.release;", ::); }
WL_FN void barrier_cluster_arrive(sem_relaxed_t) { WL_ASM("barrier.cluster.arrive.relaxed;", ::); }
WL_FN void barrier_cluster_wait(sem_acquire_t) { WL_ASM("barrier.cluster.wait.acquire;", ::); }
WL_FN uint32_t getctarank(space_cluster_t, const void *p) {
  uint32_t rank;
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(shared_address(p)));
  return rank;
}
WL_FN void exit() { asm volatile("exit;"); }
WL_FN void trap() { asm volatile("trap;"); }

/* ---- special registers ---- */
#define WL_SREG(name, text, type, form, letter)                                                    \
  WL_FN type get_sreg_##name() {                                                                   \
    type v;                                                                                        \
    asm volatile("mov." form " %0, %%" text ";" : letter(v));                                      \
    return v;                                                                                      \
  }
#define WL_SREG_32(name) WL_SREG(name, #name, uint32_t, "u32", "=r")
#define WL_SREG_XYZ(name)                                                                          \
  WL_SREG(name##_x, #name ".x", uint32_t, "u32", "=r")                                             \
  WL_SREG(name##_y, #name ".y", uint32_t, "u32", "=r")                                             \
  WL_SREG(name##_z, #name ".z", uint32_t, "u32", "=r")
WL_SREG_XYZ(tid) WL_SREG_XYZ(ntid) WL_SREG_XYZ(ctaid) WL_SREG_XYZ(nctaid)
WL_SREG_XYZ(clusterid) WL_SREG_XYZ(nclusterid) WL_SREG_XYZ(cluster_ctaid) WL_SREG_XYZ(cluster_nctaid)
WL_SREG_32(laneid) WL_SREG_32(warpid) WL_SREG_32(nwarpid) WL_SREG_32(smid) WL_SREG_32(nsmid)
WL_SREG_32(cluster_ctarank) WL_SREG_32(cluster_nctarank)
WL_SREG_32(lanemask_eq) WL_SREG_32(lanemask_le) WL_SREG_32(lanemask_lt) WL_SREG_32(lanemask_ge) WL_SREG_32(lanemask_gt)
WL_SREG_32(clock) WL_SREG_32(clock_hi) WL_SREG_32(globaltimer_lo) WL_SREG_32(globaltimer_hi)
WL_SREG_32(total_smem_size) WL_SREG_32(dynamic_smem_size)
WL_SREG(gridid, "gridid", uint64_t, "u64", "=l")
WL_SREG(clock64, "clock64", uint64_t, "u64", "=l")
WL_SREG(globaltimer, "globaltimer", uint64_t, "u64", "=l")
#undef WL_SREG_XYZ
#undef WL_SREG_32
#undef WL_SREG
WL_FN bool get_sreg_is_explicit_cluster() {
  uint32_t v;
  asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.b32 %0, 1, 0, p; }" : "=r"(v));
  return v;
}

} // namespace ptx
} // namespace cuda
#include "warplings/cuda_ptx_copy.h"
#undef WL_ASM
#undef WL_OF_BLOCK
#endif
