/* warp.h - what the lanes of a warp tell each other: shuffles, votes, matches, reductions. */
#pragma once

/* The c operand of shfl: the segment's mask above, the clamp below. */
WL_FN int wl_segment(int width, int clamp) { return ((32 - width) << 8) | clamp; }

WL_FN int __shfl_sync(unsigned mask, int v, int lane, int width = 32) { return __nvvm_shfl_sync_idx_i32(mask, v, lane, wl_segment(width, 31)); }
WL_FN int __shfl_up_sync(unsigned mask, int v, unsigned delta, int width = 32) { return __nvvm_shfl_sync_up_i32(mask, v, delta, wl_segment(width, 0)); }
WL_FN int __shfl_down_sync(unsigned mask, int v, unsigned delta, int width = 32) { return __nvvm_shfl_sync_down_i32(mask, v, delta, wl_segment(width, 31)); }
WL_FN int __shfl_xor_sync(unsigned mask, int v, int lanes, int width = 32) { return __nvvm_shfl_sync_bfly_i32(mask, v, lanes, wl_segment(width, 31)); }

/* Every other type travels as one or two 32-bit words. */
#define WL_SHUFFLE_AS(type, word, name, step)                                                      \
  WL_FN type name(unsigned mask, type v, step by, int width = 32) {                                \
    return __builtin_bit_cast(type, name(mask, __builtin_bit_cast(word, v), by, width));           \
  }
#define WL_SHUFFLE_WIDE(type, name, step)                                                          \
  WL_FN type name(unsigned mask, type v, step by, int width = 32) {                                \
    int2 w = __builtin_bit_cast(int2, v);                                                          \
    w.x = name(mask, w.x, by, width);                                                              \
    w.y = name(mask, w.y, by, width);                                                              \
    return __builtin_bit_cast(type, w);                                                            \
  }
#define WL_SHUFFLE_TYPES(name, step)                                                               \
  WL_SHUFFLE_AS(unsigned, int, name, step)                                                         \
  WL_SHUFFLE_AS(float, int, name, step)                                                            \
  WL_SHUFFLE_WIDE(long, name, step)                                                                \
  WL_SHUFFLE_WIDE(unsigned long, name, step)                                                       \
  WL_SHUFFLE_WIDE(wl_i64, name, step)                                                              \
  WL_SHUFFLE_WIDE(wl_u64, name, step)                                                              \
  WL_SHUFFLE_WIDE(double, name, step)
WL_SHUFFLE_TYPES(__shfl_sync, int)
WL_SHUFFLE_TYPES(__shfl_up_sync, unsigned)
WL_SHUFFLE_TYPES(__shfl_down_sync, unsigned)
WL_SHUFFLE_TYPES(__shfl_xor_sync, int)

WL_FN unsigned __ballot_sync(unsigned mask, int predicate) { return __nvvm_vote_ballot_sync(mask, predicate); }
WL_FN int __any_sync(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
WL_FN int __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
WL_FN int __uni_sync(unsigned mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
WL_FN unsigned __activemask() { unsigned m; asm volatile("activemask.b32 %0;" : "=r"(m)); return m; }

WL_FN unsigned __match_any_sync(unsigned mask, unsigned v) { return __nvvm_match_any_sync_i32(mask, v); }
WL_FN unsigned __match_any_sync(unsigned mask, int v) { return __nvvm_match_any_sync_i32(mask, v); }
WL_FN unsigned __match_any_sync(unsigned mask, float v) { return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(unsigned, v)); }
WL_FN unsigned __match_any_sync(unsigned mask, unsigned long v) { return __nvvm_match_any_sync_i64(mask, v); }
WL_FN unsigned __match_any_sync(unsigned mask, long v) { return __nvvm_match_any_sync_i64(mask, v); }
WL_FN unsigned __match_any_sync(unsigned mask, wl_u64 v) { return __nvvm_match_any_sync_i64(mask, v); }
WL_FN unsigned __match_any_sync(unsigned mask, wl_i64 v) { return __nvvm_match_any_sync_i64(mask, v); }
WL_FN unsigned __match_any_sync(unsigned mask, double v) { return __nvvm_match_any_sync_i64(mask, __builtin_bit_cast(wl_i64, v)); }
WL_FN unsigned __match_all_sync(unsigned mask, unsigned v, int *all) { return __nvvm_match_all_sync_i32p(mask, v, all); }
WL_FN unsigned __match_all_sync(unsigned mask, int v, int *all) { return __nvvm_match_all_sync_i32p(mask, v, all); }
WL_FN unsigned __match_all_sync(unsigned mask, float v, int *all) { return __nvvm_match_all_sync_i32p(mask, __builtin_bit_cast(unsigned, v), all); }
WL_FN unsigned __match_all_sync(unsigned mask, unsigned long v, int *all) { return __nvvm_match_all_sync_i64p(mask, v, all); }
WL_FN unsigned __match_all_sync(unsigned mask, long v, int *all) { return __nvvm_match_all_sync_i64p(mask, v, all); }
WL_FN unsigned __match_all_sync(unsigned mask, wl_u64 v, int *all) { return __nvvm_match_all_sync_i64p(mask, v, all); }
WL_FN unsigned __match_all_sync(unsigned mask, wl_i64 v, int *all) { return __nvvm_match_all_sync_i64p(mask, v, all); }
WL_FN unsigned __match_all_sync(unsigned mask, double v, int *all) { return __nvvm_match_all_sync_i64p(mask, __builtin_bit_cast(wl_i64, v), all); }

WL_FN int __reduce_add_sync(unsigned mask, int v) { return __nvvm_redux_sync_add(v, mask); }
WL_FN int __reduce_min_sync(unsigned mask, int v) { return __nvvm_redux_sync_min(v, mask); }
WL_FN int __reduce_max_sync(unsigned mask, int v) { return __nvvm_redux_sync_max(v, mask); }
WL_FN unsigned __reduce_add_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_add(v, mask); }
WL_FN unsigned __reduce_min_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umin(v, mask); }
WL_FN unsigned __reduce_max_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umax(v, mask); }
WL_FN unsigned __reduce_and_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_and(v, mask); }
WL_FN unsigned __reduce_or_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_or(v, mask); }
WL_FN unsigned __reduce_xor_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_xor(v, mask); }
