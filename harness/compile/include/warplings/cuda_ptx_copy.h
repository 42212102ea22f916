/* cuda_ptx_copy.h - the part of <cuda/ptx> that moves data behind the threads' back: bulk copies and reductions, and
 * stores and reductions into another block of the cluster. Included by cuda_ptx.h. */
#ifndef WARPLINGS_CUDA_PTX_COPY
#define WARPLINGS_CUDA_PTX_COPY

namespace cuda {
namespace ptx {

WL_FN wl_u64 wl_global(const void *p) { return __cvta_generic_to_global(p); }

/* ---- copies ---- */
WL_FN void cp_async_bulk(space_cluster_t, space_global_t, void *to, const void *from, const uint32_t &bytes, uint64_t *b) {
  WL_ASM("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];", ::"r"(shared_address(to)), "l"(wl_global(from)), "r"(bytes), "r"(shared_address(b)));
}
WL_FN void cp_async_bulk(space_shared_t, space_global_t, void *to, const void *from, const uint32_t &bytes, uint64_t *b) {
  WL_ASM("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];", ::"r"(shared_address(to)), "l"(wl_global(from)), "r"(bytes), "r"(shared_address(b)));
}
WL_FN void cp_async_bulk(space_cluster_t, space_shared_t, void *to, const void *from, const uint32_t &bytes, uint64_t *b) {
  WL_ASM("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];", ::"r"(shared_address(to)), "r"(shared_address(from)), "r"(bytes), "r"(shared_address(b)));
}
WL_FN void cp_async_bulk(space_global_t, space_shared_t, void *to, const void *from, const uint32_t &bytes) {
  WL_ASM("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;", ::"l"(wl_global(to)), "r"(shared_address(from)), "r"(bytes));
}
WL_FN void cp_async_bulk(space_cluster_t, space_global_t, void *to, const void *from, const uint32_t &bytes, uint64_t *b, const uint16_t &blocks) {
  WL_ASM("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;", ::"r"(shared_address(to)), "l"(wl_global(from)), "r"(bytes), "r"(shared_address(b)), "h"(blocks));
}
WL_FN void cp_async_bulk_commit_group() { WL_ASM("cp.async.bulk.commit_group;", ::); }
template <int n> WL_FN void cp_async_bulk_wait_group(n32_t<n>) { WL_ASM("cp.async.bulk.wait_group %0;", ::"n"(n)); }
template <int n> WL_FN void cp_async_bulk_wait_group_read(n32_t<n>) { WL_ASM("cp.async.bulk.wait_group.read %0;", ::"n"(n)); }
WL_FN void cp_async_mbarrier_arrive(uint64_t *b) { WL_ASM("cp.async.mbarrier.arrive.shared.b64 [%0];", ::"r"(shared_address(b))); }
WL_FN void cp_async_mbarrier_arrive_noinc(uint64_t *b) { WL_ASM("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];", ::"r"(shared_address(b))); }

/* ---- reductions: op, and as what type each of C++'s types goes ---- */
#define WL_INTO_CLUSTER(op, type, form)                                                            \
  WL_FN void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_##op##_t, type *to, const type *from, uint32_t bytes, uint64_t *b) { \
    WL_ASM("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." form " [%0], [%1], %2, [%3];", ::"r"(shared_address(to)), "r"(shared_address(from)), "r"(bytes), "r"(shared_address(b))); \
  }
#define WL_INTO_GLOBAL(op, type, form)                                                             \
  WL_FN void cp_reduce_async_bulk(space_global_t, space_shared_t, op_##op##_t, type *to, const type *from, uint32_t bytes) { \
    WL_ASM("cp.reduce.async.bulk.global.shared::cta.bulk_group." form " [%0], [%1], %2;", ::"l"(wl_global(to)), "r"(shared_address(from)), "r"(bytes)); \
  }
#define WL_RED_ASYNC(op, type, form, letter)                                                       \
  WL_FN void red_async(op_##op##_t, type *to, const type &v, uint64_t *b) {                        \
    WL_ASM("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." form " [%0], %1, [%2];", ::"r"(shared_address(to)), letter(v), "r"(shared_address(b))); \
  }
#define WL_32(op, type, form) WL_INTO_CLUSTER(op, type, form) WL_INTO_GLOBAL(op, type, form) WL_RED_ASYNC(op, type, form, "r")
WL_32(add, uint32_t, "add.u32") WL_32(min, uint32_t, "min.u32") WL_32(max, uint32_t, "max.u32")
WL_32(inc, uint32_t, "inc.u32") WL_32(dec, uint32_t, "dec.u32")
WL_32(add, int32_t, "add.s32") WL_32(min, int32_t, "min.s32") WL_32(max, int32_t, "max.s32")
#undef WL_32
WL_INTO_CLUSTER(add, uint64_t, "add.u64") WL_INTO_GLOBAL(add, uint64_t, "add.u64") WL_RED_ASYNC(add, uint64_t, "add.u64", "l")
WL_INTO_CLUSTER(add, int64_t, "add.u64") WL_INTO_GLOBAL(add, int64_t, "add.u64")
WL_INTO_GLOBAL(min, uint64_t, "min.u64") WL_INTO_GLOBAL(max, uint64_t, "max.u64")
WL_INTO_GLOBAL(min, int64_t, "min.s64") WL_INTO_GLOBAL(max, int64_t, "max.s64")
WL_INTO_GLOBAL(add, float, "add.f32") WL_INTO_GLOBAL(add, double, "add.f64")
WL_FN void red_async(op_add_t, int64_t *to, const int64_t &v, int64_t *b) {
  WL_ASM("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%0], %1, [%2];", ::"r"(shared_address(to)), "l"(v), "r"(shared_address(b)));
}
#undef WL_INTO_CLUSTER
#undef WL_INTO_GLOBAL
#undef WL_RED_ASYNC

/* Any type of 4 bytes, or of 8, by its bits. */
template <class To, class From> WL_FN To wl_bits(const From &v) {
  static_assert(sizeof(To) == sizeof(From), "the sizes must agree");
  To bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}
#define WL_BITS(op)                                                                                \
  template <class T> WL_FN void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_##op##_op_t, T *to, const T *from, uint32_t bytes, uint64_t *b) { \
    static_assert(sizeof(T) == 4, "the type must have 4 bytes");                                   \
    WL_ASM("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." #op ".b32 [%0], [%1], %2, [%3];", ::"r"(shared_address(to)), "r"(shared_address(from)), "r"(bytes), "r"(shared_address(b))); \
  }                                                                                                \
  template <class T> WL_FN void cp_reduce_async_bulk(space_global_t, space_shared_t, op_##op##_op_t, T *to, const T *from, uint32_t bytes) { \
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "the type must have 4 or 8 bytes");            \
    if constexpr (sizeof(T) == 4) WL_ASM("cp.reduce.async.bulk.global.shared::cta.bulk_group." #op ".b32 [%0], [%1], %2;", ::"l"(wl_global(to)), "r"(shared_address(from)), "r"(bytes)); \
    else WL_ASM("cp.reduce.async.bulk.global.shared::cta.bulk_group." #op ".b64 [%0], [%1], %2;", ::"l"(wl_global(to)), "r"(shared_address(from)), "r"(bytes)); \
  }                                                                                                \
  template <class T> WL_FN void red_async(op_##op##_op_t, T *to, const T &v, uint64_t *b) {        \
    static_assert(sizeof(T) == 4, "the type must have 4 bytes");                                   \
    WL_ASM("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." #op ".b32 [%0], %1, [%2];", ::"r"(shared_address(to)), "r"(wl_bits<uint32_t>(v)), "r"(shared_address(b))); \
  }
WL_BITS(and)
WL_BITS(or)
WL_BITS(xor)
#undef WL_BITS

/* ---- stores ---- */
#define WL_ST "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes"
template <class T> WL_FN void st_async(T *to, const T &v, uint64_t *b) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "the type must have 4 or 8 bytes");
  if constexpr (sizeof(T) == 4) WL_ASM(WL_ST ".b32 [%0], %1, [%2];", ::"r"(shared_address(to)), "r"(wl_bits<uint32_t>(v)), "r"(shared_address(b)));
  else WL_ASM(WL_ST ".b64 [%0], %1, [%2];", ::"r"(shared_address(to)), "l"(wl_bits<uint64_t>(v)), "r"(shared_address(b)));
}
template <class T> WL_FN void st_async(T *to, const T (&v)[2], uint64_t *b) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "the type must have 4 or 8 bytes");
  if constexpr (sizeof(T) == 4) WL_ASM(WL_ST ".v2.b32 [%0], {%1, %2}, [%3];", ::"r"(shared_address(to)), "r"(wl_bits<uint32_t>(v[0])), "r"(wl_bits<uint32_t>(v[1])), "r"(shared_address(b)));
  else WL_ASM(WL_ST ".v2.b64 [%0], {%1, %2}, [%3];", ::"r"(shared_address(to)), "l"(wl_bits<uint64_t>(v[0])), "l"(wl_bits<uint64_t>(v[1])), "r"(shared_address(b)));
}
template <class T> WL_FN void st_async(T *to, const T (&v)[4], uint64_t *b) {
  static_assert(sizeof(T) == 4, "the type must have 4 bytes");
  WL_ASM(WL_ST ".v4.b32 [%0], {%1, %2, %3, %4}, [%5];", ::"r"(shared_address(to)), "r"(wl_bits<uint32_t>(v[0])), "r"(wl_bits<uint32_t>(v[1])), "r"(wl_bits<uint32_t>(v[2])), "r"(wl_bits<uint32_t>(v[3])), "r"(shared_address(b)));
}
#undef WL_ST

} // namespace ptx
} // namespace cuda
#endif
