/* wmma.h - mma.h for clang: matrix products of a warp. What each lane holds is the hardware's business; the compiler's own
 * builtins load, multiply and store. Shapes 16 x 16 x 16, 32 x 8 x 16 and 8 x 32 x 16 of half, bfloat16 and bytes, 16 x 16 x 8
 * of tf32, 8 x 8 x 4 of double. */
#ifndef WARPLINGS_WMMA
#define WARPLINGS_WMMA
#include "warplings/half.h"

namespace nvcuda {
namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
namespace precision { struct tf32 {}; }
enum layout_t { mem_row_major, mem_col_major };

template <class T, int n> struct wl_lane_part {
  static constexpr int num_elements = n, num_storage_elements = n;
  using element_type = T;
  using storage_element_type = T;
  T x[n];
};
template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment; /* the forms below exist */

template <class Layout> struct wl_order {};
template <> struct wl_order<row_major> { static constexpr int value = 0; };
template <> struct wl_order<col_major> { static constexpr int value = 1; };

template <class T, int n, class V> WL_FN void fill_fragment(wl_lane_part<T, n> &f, const V &v) {
  for (int i = 0; i < n; i++) f.x[i] = (T)v;
}
WL_FN float __float_to_tf32(float v) {
  unsigned r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
  return __builtin_bit_cast(float, r);
}

/* One of the two factors: what lanes hold of it, and the builtin that loads it. */
#define WL_FACTOR(use, m, n, k, T, Held, count, Word, load)                                        \
  template <class L> struct fragment<use, m, n, k, T, L> : wl_lane_part<Held, count> {};           \
  template <class L> WL_FN void load_matrix_sync(fragment<use, m, n, k, T, L> &f, const Held *p, unsigned step) { load((Word *)f.x, (const Word *)p, step, wl_order<L>::value); }
/* A sum: both orders in memory. */
#define WL_SUM(m, n, k, T, count, Word, load, store)                                               \
  template <> struct fragment<accumulator, m, n, k, T, void> : wl_lane_part<T, count> {};          \
  WL_FN void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p, unsigned step, layout_t order) { \
    if (order == mem_row_major) load((Word *)f.x, (const Word *)p, step, 0);                       \
    else load((Word *)f.x, (const Word *)p, step, 1);                                              \
  }                                                                                                \
  WL_FN void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f, unsigned step, layout_t order) { \
    if (order == mem_row_major) store((Word *)p, (Word *)f.x, step, 0);                      \
    else store((Word *)p, (Word *)f.x, step, 1);                                             \
  }
#define WL_PRODUCT(m, n, k, T, D, C, WordD, WordC, mma)                                            \
  template <class A, class B>                                                                      \
  WL_FN void mma_sync(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, A> &a, const fragment<matrix_b, m, n, k, T, B> &b, const fragment<accumulator, m, n, k, C> &c) { \
    mma((WordD *)d.x, WL_FACTORS(a.x, b.x), (WordC *)c.x, wl_order<A>::value * 2 + wl_order<B>::value, 0); \
  }

#define WL_FACTORS(a, b) (int *)a, (int *)b
#define WL_SHAPE(M, N, K, bytes_a, bytes_b, bf_a, bf_b)                                            \
  WL_FACTOR(matrix_a, M, N, K, __half, __half, 16, int, __hmma_m##M##n##N##k##K##_ld_a)            \
  WL_FACTOR(matrix_b, M, N, K, __half, __half, 16, int, __hmma_m##M##n##N##k##K##_ld_b)            \
  WL_SUM(M, N, K, float, 8, float, __hmma_m##M##n##N##k##K##_ld_c_f32, __hmma_m##M##n##N##k##K##_st_c_f32) \
  WL_SUM(M, N, K, __half, 8, int, __hmma_m##M##n##N##k##K##_ld_c_f16, __hmma_m##M##n##N##k##K##_st_c_f16) \
  WL_PRODUCT(M, N, K, __half, float, float, float, float, __hmma_m##M##n##N##k##K##_mma_f32f32)    \
  WL_PRODUCT(M, N, K, __half, float, __half, float, int, __hmma_m##M##n##N##k##K##_mma_f32f16)     \
  WL_PRODUCT(M, N, K, __half, __half, __half, int, int, __hmma_m##M##n##N##k##K##_mma_f16f16)      \
  WL_PRODUCT(M, N, K, __half, __half, float, int, float, __hmma_m##M##n##N##k##K##_mma_f16f32)     \
  WL_FACTOR(matrix_a, M, N, K, __nv_bfloat16, __nv_bfloat16, bf_a, int, __mma_bf16_m##M##n##N##k##K##_ld_a) \
  WL_FACTOR(matrix_b, M, N, K, __nv_bfloat16, __nv_bfloat16, bf_b, int, __mma_bf16_m##M##n##N##k##K##_ld_b) \
  WL_SUM(M, N, K, int, 8, int, __imma_m##M##n##N##k##K##_ld_c, __imma_m##M##n##N##k##K##_st_c_i32) \
  WL_BYTES(M, N, K, signed char, s8, bytes_a, bytes_b)                                             \
  WL_BYTES(M, N, K, unsigned char, u8, bytes_a, bytes_b)
#define WL_BYTES(M, N, K, T, form, bytes_a, bytes_b)                                               \
  WL_FACTOR(matrix_a, M, N, K, T, T, bytes_a, int, __imma_m##M##n##N##k##K##_ld_a_##form)          \
  WL_FACTOR(matrix_b, M, N, K, T, T, bytes_b, int, __imma_m##M##n##N##k##K##_ld_b_##form)          \
  WL_PRODUCT(M, N, K, T, int, int, int, int, __imma_m##M##n##N##k##K##_mma_##form)
WL_SHAPE(16, 16, 16, 8, 8, 8, 8)
WL_SHAPE(32, 8, 16, 16, 4, 16, 4)
WL_SHAPE(8, 32, 16, 4, 16, 4, 16)
#undef WL_SHAPE
#undef WL_BYTES
WL_PRODUCT(16, 16, 16, __nv_bfloat16, float, float, float, float, __mma_bf16_m16n16k16_mma_f32)
WL_PRODUCT(32, 8, 16, __nv_bfloat16, float, float, float, float, __mma_bf16_m32n8k16_mma_f32)
WL_PRODUCT(8, 32, 16, __nv_bfloat16, float, float, float, float, __mma_bf16_m8n32k16_mma_f32)
WL_FACTOR(matrix_a, 16, 16, 8, precision::tf32, float, 4, int, __mma_tf32_m16n16k8_ld_a)
WL_FACTOR(matrix_b, 16, 16, 8, precision::tf32, float, 4, int, __mma_tf32_m16n16k8_ld_b)
WL_SUM(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
WL_PRODUCT(16, 16, 8, precision::tf32, float, float, float, float, __mma_tf32_m16n16k8_mma_f32)
#undef WL_FACTORS
#define WL_FACTORS(a, b) a, b
WL_FACTOR(matrix_a, 8, 8, 4, double, double, 1, double, __dmma_m8n8k4_ld_a)
WL_FACTOR(matrix_b, 8, 8, 4, double, double, 1, double, __dmma_m8n8k4_ld_b)
WL_SUM(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
WL_PRODUCT(8, 8, 4, double, double, double, double, double, __dmma_m8n8k4_mma_f64)
#undef WL_FACTOR
#undef WL_SUM
#undef WL_PRODUCT
#undef WL_FACTORS
} // namespace wmma
} // namespace nvcuda
#endif
