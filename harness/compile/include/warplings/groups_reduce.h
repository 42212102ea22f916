/* groups_reduce.h - reduce and the scans over a group. Every member must take part. */
#ifndef WARPLINGS_GROUPS_REDUCE
#define WARPLINGS_GROUPS_REDUCE
#include "warplings/groups.h"

namespace cooperative_groups {

template <class T> struct plus { WL_MEMBER T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { WL_MEMBER T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { WL_MEMBER T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { WL_MEMBER T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { WL_MEMBER T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { WL_MEMBER T operator()(T a, T b) const { return a ^ b; } };

template <unsigned N, class P, class T, class Op> WL_FN T reduce(const thread_block_tile<N, P> &t, T v, Op op) {
  for (unsigned with = N / 2; with; with /= 2) v = op(v, t.shfl_xor(v, with));
  return v;
}
template <class T, class Op> WL_FN T reduce(const coalesced_group &g, T v, Op op) {
  T sum = g.shfl(v, 0);
  for (unsigned i = 1; i < g.size(); i++) sum = op(sum, g.shfl(v, (int)i));
  return sum;
}

template <class Group, class T, class Op> WL_FN T inclusive_scan(const Group &g, T v, Op op) {
  for (unsigned by = 1; by < g.size(); by *= 2) {
    T before = g.shfl_up(v, by);
    if (g.thread_rank() >= by) v = op(before, v);
  }
  return v;
}
template <class Group, class T> WL_FN T inclusive_scan(const Group &g, T v) { return inclusive_scan(g, v, plus<T>()); }
template <class Group, class T, class Op> WL_FN T exclusive_scan(const Group &g, T v, Op op) {
  T before = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() ? before : T();
}
template <class Group, class T> WL_FN T exclusive_scan(const Group &g, T v) { return exclusive_scan(g, v, plus<T>()); }

} // namespace cooperative_groups
#endif
