/* groups.h - cooperative groups for clang: blocks, tiles, coalesced threads, the whole grid. Clusters are
 * left to the toolkit's own headers; asynchronous copies are in groups_copy.h. The file goes under two
 * names, hence a guard and no `#pragma once`. */
#ifndef WARPLINGS_GROUPS
#define WARPLINGS_GROUPS

/* Using one of these says so at compile time; the suite then reports "could not judge", not an error. */
#define WL_TOOLKIT_ONLY __attribute__((unavailable("warplings: needs the CUDA toolkit")))

namespace cooperative_groups {

WL_FN unsigned wl_lane() { return __nvvm_read_ptx_sreg_laneid(); }
WL_FN unsigned wl_lower_lanes() { return (1u << wl_lane()) - 1; }
WL_FN unsigned wl_block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
WL_FN unsigned wl_thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
WL_FN unsigned wl_grid_blocks() { return gridDim.x * gridDim.y * gridDim.z; }
WL_FN unsigned wl_block_rank() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }

/* ---- the block ---- */
struct thread_block {
  static WL_MEMBER void sync() { __syncthreads(); }
  static WL_MEMBER unsigned thread_rank() { return wl_thread_rank(); }
  static WL_MEMBER unsigned num_threads() { return wl_block_threads(); }
  static WL_MEMBER unsigned size() { return wl_block_threads(); }
  static WL_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static WL_MEMBER dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static WL_MEMBER dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static WL_MEMBER dim3 group_dim() { return dim_threads(); }
  /* As in NVIDIA's header, all of the barrier is in the wait. */
  struct arrival_token {};
  static WL_MEMBER arrival_token barrier_arrive() { return {}; }
  static WL_MEMBER void barrier_wait(arrival_token &&) { __syncthreads(); }
};
WL_FN thread_block this_thread_block() { return thread_block(); }

/* ---- the grid ---- */

/* The workspace that a cooperative launch gives the kernel; null in any other launch. */
WL_FN unsigned *wl_grid_workspace() {
  unsigned high, low;
  asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
  return (unsigned *)((wl_u64)high << 32 | low);
}

/* One thread of each block adds to a counter; block 0 adds what makes bit 31 flip when all have. */
WL_FN unsigned wl_grid_arrive() {
  unsigned *workspace = wl_grid_workspace(), *counter = workspace + 1, before = 0;
  if (!workspace) __trap();
  __nvvm_barrier_sync(0);
  if (wl_thread_rank() == 0) {
    unsigned add = wl_block_rank() == 0 ? 0x80000000u - (wl_grid_blocks() - 1) : 1;
    asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(add) : "memory");
  }
  return before;
}
WL_FN void wl_grid_wait(unsigned before) {
  unsigned *counter = wl_grid_workspace() + 1, now;
  if (wl_thread_rank() == 0)
    do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(counter) : "memory");
    while (!((now ^ before) & 0x80000000u));
  __nvvm_barrier_sync(0);
}

struct grid_group {
  using arrival_token = unsigned;
  static WL_MEMBER arrival_token barrier_arrive() { return wl_grid_arrive(); }
  static WL_MEMBER void barrier_wait(arrival_token &&token) { wl_grid_wait(token); }
  static WL_MEMBER void sync() { wl_grid_wait(wl_grid_arrive()); }
  static WL_MEMBER bool is_valid() { return wl_grid_workspace() != nullptr; }
  static WL_MEMBER wl_u64 thread_rank() { return (wl_u64)wl_block_rank() * wl_block_threads() + wl_thread_rank(); }
  static WL_MEMBER wl_u64 num_threads() { return (wl_u64)wl_grid_blocks() * wl_block_threads(); }
  static WL_MEMBER wl_u64 size() { return num_threads(); }
  static WL_MEMBER wl_u64 num_blocks() { return wl_grid_blocks(); }
  static WL_MEMBER wl_u64 block_rank() { return wl_block_rank(); }
  static WL_MEMBER dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static WL_MEMBER dim3 group_dim() { return dim_blocks(); }
  static WL_MEMBER dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
WL_FN grid_group this_grid() { return grid_group(); }

/* ---- some lanes of a warp, named by a mask; ranks count from the lowest lane ---- */
struct coalesced_group {
  unsigned mask, above_rank, above_size;
  WL_MEMBER explicit coalesced_group(unsigned lanes, unsigned rank = 0, unsigned groups = 1) : mask(lanes), above_rank(rank), above_size(groups) {}
  WL_MEMBER void sync() const { __syncwarp(mask); }
  WL_MEMBER unsigned thread_rank() const { return __popc(mask & wl_lower_lanes()); }
  WL_MEMBER unsigned num_threads() const { return __popc(mask); }
  WL_MEMBER unsigned size() const { return __popc(mask); }
  WL_MEMBER unsigned meta_group_rank() const { return above_rank; }
  WL_MEMBER unsigned meta_group_size() const { return above_size; }
  WL_MEMBER unsigned lane_of(unsigned rank) const { return __fns(mask, 0, (int)rank + 1); }
  template <class T> WL_MEMBER T shfl(T v, int rank) const { return __shfl_sync(mask, v, (int)lane_of((unsigned)rank % size())); }
  template <class T> WL_MEMBER T shfl_up(T v, unsigned by) const { unsigned me = thread_rank(); return __shfl_sync(mask, v, (int)lane_of(me < by ? me : me - by)); }
  template <class T> WL_MEMBER T shfl_down(T v, unsigned by) const { unsigned me = thread_rank(); return __shfl_sync(mask, v, (int)lane_of(me + by >= size() ? me : me + by)); }
  WL_MEMBER int any(int predicate) const { return __any_sync(mask, predicate); }
  WL_MEMBER int all(int predicate) const { return __all_sync(mask, predicate); }
  /* Votes and matches speak of ranks, not lanes: the bits of the group's lanes move together. */
  WL_MEMBER unsigned pack(unsigned lanes) const {
    unsigned ranks = 0, rank = 0;
    for (unsigned left = mask; left; left &= left - 1, rank++) ranks |= (lanes >> (__ffs((int)left) - 1) & 1) << rank;
    return ranks;
  }
  WL_MEMBER unsigned ballot(int predicate) const { return pack(__ballot_sync(mask, predicate)); }
  template <class T> WL_MEMBER unsigned match_any(T v) const { return pack(__match_any_sync(mask, v)); }
  template <class T> WL_MEMBER unsigned match_all(T v, int &all) const { return pack(__match_all_sync(mask, v, &all)); }
};
WL_FN coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* ---- tiles: 1 to 32 neighbouring lanes ---- */
template <unsigned N, class Parent = void> struct thread_block_tile;

/* What a tile was cut from: a larger tile, or the block (also when the type no longer tells). */
template <unsigned M, class P> WL_FN unsigned wl_size_of(thread_block_tile<M, P> *) { return M; }
template <unsigned M, class P> WL_FN unsigned wl_rank_in(thread_block_tile<M, P> *) { return wl_thread_rank() & (M - 1); }
WL_FN unsigned wl_size_of(void *) { return wl_block_threads(); }
WL_FN unsigned wl_rank_in(void *) { return wl_thread_rank(); }

template <unsigned N, class Parent> struct thread_block_tile {
  static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "warplings: tiles have 1, 2, 4, 8, 16 or 32 threads here");
  /* Where the tile came from does not matter to who is in it. */
  template <class Other> WL_MEMBER operator thread_block_tile<N, Other>() const { return {}; }
  static WL_MEMBER unsigned wl_mask() { return N == 32 ? 0xffffffffu : ((1u << (N & 31)) - 1) << (wl_lane() & ~(N - 1)); }
  static WL_MEMBER void sync() { __syncwarp(wl_mask()); }
  static WL_MEMBER unsigned thread_rank() { return wl_thread_rank() & (N - 1); }
  static constexpr WL_MEMBER unsigned num_threads() { return N; }
  static constexpr WL_MEMBER unsigned size() { return N; }
  static WL_MEMBER unsigned meta_group_rank() { return wl_rank_in((Parent *)nullptr) / N; }
  static WL_MEMBER unsigned meta_group_size() { return (wl_size_of((Parent *)nullptr) + N - 1) / N; }
  template <class T> static WL_MEMBER T shfl(T v, int rank) { return __shfl_sync(wl_mask(), v, rank, N); }
  template <class T> static WL_MEMBER T shfl_up(T v, unsigned by) { return __shfl_up_sync(wl_mask(), v, by, N); }
  template <class T> static WL_MEMBER T shfl_down(T v, unsigned by) { return __shfl_down_sync(wl_mask(), v, by, N); }
  template <class T> static WL_MEMBER T shfl_xor(T v, unsigned with) { return __shfl_xor_sync(wl_mask(), v, (int)with, N); }
  static WL_MEMBER int any(int predicate) { return __any_sync(wl_mask(), predicate); }
  static WL_MEMBER int all(int predicate) { return __all_sync(wl_mask(), predicate); }
  static WL_MEMBER unsigned wl_ranks(unsigned lanes) { return (lanes & wl_mask()) >> (wl_lane() & ~(N - 1)); }
  static WL_MEMBER unsigned ballot(int predicate) { return wl_ranks(__ballot_sync(wl_mask(), predicate)); }
  template <class T> static WL_MEMBER unsigned match_any(T v) { return wl_ranks(__match_any_sync(wl_mask(), v)); }
  template <class T> static WL_MEMBER unsigned match_all(T v, int &all) { return wl_ranks(__match_all_sync(wl_mask(), v, &all)); }
};

template <unsigned N> WL_FN thread_block_tile<N, thread_block> tiled_partition(const thread_block &) { return {}; }
template <unsigned N, unsigned M, class P> WL_FN thread_block_tile<N, thread_block_tile<M, P>> tiled_partition(const thread_block_tile<M, P> &) {
  static_assert(N <= M, "a tile of a tile must be no larger");
  return {};
}
/* A size that is known only at run time. */
WL_FN coalesced_group tiled_partition(const thread_block &, unsigned n) {
  unsigned first = wl_lane() & ~(n - 1), lanes = (n < 32 ? (1u << n) - 1 : 0xffffffffu) << first;
  return coalesced_group(lanes & __activemask(), wl_thread_rank() / n, (wl_block_threads() + n - 1) / n);
}
template <class Label> WL_FN coalesced_group labeled_partition(const coalesced_group &g, Label label) { return coalesced_group(__match_any_sync(g.mask, label)); }
template <unsigned N, class P, class Label> WL_FN coalesced_group labeled_partition(const thread_block_tile<N, P> &t, Label label) { return coalesced_group(__match_any_sync(t.wl_mask(), label)); }
WL_FN coalesced_group binary_partition(const coalesced_group &g, bool side) { unsigned m = __ballot_sync(g.mask, side); return coalesced_group(side ? m : g.mask & ~m); }
template <unsigned N, class P> WL_FN coalesced_group binary_partition(const thread_block_tile<N, P> &t, bool side) { unsigned m = __ballot_sync(t.wl_mask(), side); return coalesced_group(side ? m : t.wl_mask() & ~m); }

template <class Group> WL_FN void sync(const Group &g) { g.sync(); }
template <class Group> WL_FN unsigned thread_rank(const Group &g) { return g.thread_rank(); }
template <class Group, class F> WL_FN void invoke_one(const Group &g, F &&f) { if (g.thread_rank() == 0) f(); }

/* ---- clusters need a newer target than clang 14 has ---- */
struct cluster_group {
  void sync() const;
  unsigned block_rank() const;
  template <class T> T *map_shared_rank(T *p, int rank) const;
};
__device__ WL_TOOLKIT_ONLY cluster_group this_cluster();

} // namespace cooperative_groups
#endif
