/* cub_block.h - <cub/block/block_reduce.cuh> and <cub/block/block_scan.cuh>. The warps' results meet in the caller's
 * storage, which each use writes before its first barrier and reads after its last: between two uses of the same
 * storage the caller needs a barrier, as with NVIDIA's. A block of one warp needs no storage. */
#ifndef WARPLINGS_CUB_BLOCK
#define WARPLINGS_CUB_BLOCK
#include "warplings/cub_warp.h"

namespace cub {
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

/* The two ways to come to storage: the caller's, or one of the class's own. */
#define WL_CUB_STORAGE(Class)                                                                      \
  TempStorage &temp;                                                                               \
  static WL_MEMBER TempStorage &own() {                                                            \
    __shared__ TempStorage storage;                                                                \
    return storage;                                                                                \
  }                                                                                                \
  const int thread;                                                                                \
                                                                                                   \
public:                                                                                            \
  WL_MEMBER Class() : temp(own()), thread(wl::thread<x, y, z>()) {}                                \
  WL_MEMBER Class(TempStorage &t) : temp(t), thread(wl::thread<x, y, z>()) {}

template <class T, int x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1> class BlockReduce {
  static constexpr int threads = x * y * z, warps = (threads + 31) / 32;

public:
  struct TempStorage {
    wl::slots<T, warps> of_warp;
  };

private:
  WL_CUB_STORAGE(BlockReduce)
  template <class Op> WL_MEMBER T Reduce(T v, Op op, int valid) {
    const int warp = thread / 32;
    v = wl::reduce<32>(wl::lanes_of<threads>(thread), v, op, valid - warp * 32);
    if constexpr (warps > 1) {
      if (wl::lane() == 0) temp.of_warp[warp] = v;
      __syncthreads();
      if (thread == 0)
        for (int i = 1; i < warps && i * 32 < valid; i++) v = op(v, temp.of_warp[i]);
    }
    return v;
  }
  template <class Op> WL_MEMBER T Reduce(T v, Op op) { return Reduce(v, op, threads); }
  template <int n, class Op> WL_MEMBER T Reduce(T (&items)[n], Op op) { return Reduce(wl::reduce_items(items, op), op); }
  WL_MEMBER T Sum(T v) { return Reduce(v, cuda::std::plus<>()); }
  WL_MEMBER T Sum(T v, int valid) { return Reduce(v, cuda::std::plus<>(), valid); }
  template <int n> WL_MEMBER T Sum(T (&items)[n]) { return Reduce(items, cuda::std::plus<>()); }
};

template <class T, int x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1> class BlockScan {
  static constexpr int threads = x * y * z, warps = (threads + 31) / 32;

public:
  struct TempStorage {
    wl::slots<T, warps + 1> of_warp; /* one more: what a callback puts in front */
  };

private:
  struct result {
    T inclusive, exclusive, all; /* exclusive: not for thread 0 */
  };
  template <class Op> WL_MEMBER result scan(T v, Op op) {
    const unsigned lanes = wl::lanes_of<threads>(thread);
    const int warp = thread / 32, lane = thread % 32;
    result r;
    r.inclusive = wl::scan<32>(lanes, v, op);
    r.exclusive = wl::from_below(lanes, r.inclusive, 1, 32);
    if constexpr (warps == 1) {
      r.all = wl::from_lane(lanes, r.inclusive, threads - 1, 32);
    } else {
      if (lane == 31 || thread == threads - 1) temp.of_warp[warp] = r.inclusive;
      __syncthreads();
      T before = r.all = temp.of_warp[0];
      for (int i = 1; i < warps; i++) {
        if (i == warp) before = r.all;
        r.all = op(r.all, temp.of_warp[i]);
      }
      if (warp) {
        r.inclusive = op(before, r.inclusive);
        r.exclusive = lane ? op(before, r.exclusive) : before;
      }
    }
    return r;
  }
  /* The first warp asks the callback, its first lane's answer stands in front of everything. */
  template <class Op, class Callback> WL_MEMBER T prefixed(result &r, Op op, Callback &callback) {
    if (thread < 32) {
      T first = callback(r.all);
      if (thread == 0) temp.of_warp[warps] = first;
    }
    __syncthreads();
    T first = temp.of_warp[warps];
    (void)*(volatile char *)&temp.of_warp[0]; /* in use to the end: the next use writes here first */
    r.inclusive = op(first, r.inclusive);
    r.exclusive = thread ? op(first, r.exclusive) : first;
    return first;
  }
  template <class Op> WL_MEMBER void first_value(result &r, T first, Op op) {
    r.inclusive = op(first, r.inclusive);
    r.exclusive = thread ? op(first, r.exclusive) : first;
    r.all = op(first, r.all);
  }
  /* From what lies before this thread to its items; without anything before, the first item begins. */
  template <int n, class Op> WL_MEMBER void inclusive_items(T (&v)[n], T (&out)[n], bool any, T before, Op op) {
    T sum = any ? op(before, v[0]) : v[0];
    out[0] = sum;
    for (int i = 1; i < n; i++) out[i] = sum = op(sum, v[i]);
  }
  template <int n, class Op> WL_MEMBER void exclusive_items(T (&v)[n], T (&out)[n], bool any, T before, Op op) {
    T sum = v[0];
    if (any) {
      sum = op(before, v[0]);
      out[0] = before;
    }
    for (int i = 1; i < n; i++) {
      T next = op(sum, v[i]);
      out[i] = sum;
      sum = next;
    }
  }
  WL_CUB_STORAGE(BlockScan)

  /* ---- one value for each thread ---- */
  template <class Op> WL_MEMBER void InclusiveScan(T v, T &out, Op op) { out = scan(v, op).inclusive; }
  template <class Op> WL_MEMBER void InclusiveScan(T v, T &out, Op op, T &all) {
    result r = scan(v, op);
    out = r.inclusive;
    all = r.all;
  }
  template <class Op, class Callback> WL_MEMBER void InclusiveScan(T v, T &out, Op op, Callback &callback) {
    result r = scan(v, op);
    prefixed(r, op, callback);
    out = r.inclusive;
  }
  template <class Op> WL_MEMBER void ExclusiveScan(T v, T &out, Op op) { out = scan(v, op).exclusive; }
  template <class Op> WL_MEMBER void ExclusiveScan(T v, T &out, Op op, T &all) {
    result r = scan(v, op);
    out = r.exclusive;
    all = r.all;
  }
  template <class Op, class Callback> WL_MEMBER void ExclusiveScan(T v, T &out, Op op, Callback &callback) {
    result r = scan(v, op);
    prefixed(r, op, callback);
    out = r.exclusive;
  }
  template <class Op> WL_MEMBER void ExclusiveScan(T v, T &out, T first, Op op) {
    result r = scan(v, op);
    first_value(r, first, op);
    out = r.exclusive;
  }
  template <class Op> WL_MEMBER void ExclusiveScan(T v, T &out, T first, Op op, T &all) {
    result r = scan(v, op);
    all = r.all;
    first_value(r, first, op);
    out = r.exclusive;
  }

  /* ---- several ---- */
  template <int n, class Op> WL_MEMBER void InclusiveScan(T (&v)[n], T (&out)[n], Op op) { inclusive_items(v, out, thread > 0, scan(wl::reduce_items(v, op), op).exclusive, op); }
  template <int n, class Op> WL_MEMBER void InclusiveScan(T (&v)[n], T (&out)[n], Op op, T &all) {
    result r = scan(wl::reduce_items(v, op), op);
    inclusive_items(v, out, thread > 0, r.exclusive, op);
    all = r.all;
  }
  template <int n, class Op, class Callback> WL_MEMBER void InclusiveScan(T (&v)[n], T (&out)[n], Op op, Callback &callback) {
    result r = scan(wl::reduce_items(v, op), op);
    prefixed(r, op, callback);
    inclusive_items(v, out, true, r.exclusive, op);
  }
  template <int n, class Op> WL_MEMBER void ExclusiveScan(T (&v)[n], T (&out)[n], Op op) { exclusive_items(v, out, thread > 0, scan(wl::reduce_items(v, op), op).exclusive, op); }
  template <int n, class Op> WL_MEMBER void ExclusiveScan(T (&v)[n], T (&out)[n], Op op, T &all) {
    result r = scan(wl::reduce_items(v, op), op);
    exclusive_items(v, out, thread > 0, r.exclusive, op);
    all = r.all;
  }
  template <int n, class Op, class Callback> WL_MEMBER void ExclusiveScan(T (&v)[n], T (&out)[n], Op op, Callback &callback) {
    result r = scan(wl::reduce_items(v, op), op);
    prefixed(r, op, callback);
    exclusive_items(v, out, true, r.exclusive, op);
  }
  template <int n, class Op> WL_MEMBER void ExclusiveScan(T (&v)[n], T (&out)[n], T first, Op op) {
    result r = scan(wl::reduce_items(v, op), op);
    first_value(r, first, op);
    exclusive_items(v, out, true, r.exclusive, op);
  }
  template <int n, class Op> WL_MEMBER void ExclusiveScan(T (&v)[n], T (&out)[n], T first, Op op, T &all) {
    result r = scan(wl::reduce_items(v, op), op);
    all = r.all;
    first_value(r, first, op);
    exclusive_items(v, out, true, r.exclusive, op);
  }

  /* ---- sums ---- */
  WL_MEMBER void InclusiveSum(T v, T &out) { InclusiveScan(v, out, cuda::std::plus<>()); }
  WL_MEMBER void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, cuda::std::plus<>(), all); }
  template <class Callback> WL_MEMBER void InclusiveSum(T v, T &out, Callback &callback) { InclusiveScan(v, out, cuda::std::plus<>(), callback); }
  template <int n> WL_MEMBER void InclusiveSum(T (&v)[n], T (&out)[n]) { InclusiveScan(v, out, cuda::std::plus<>()); }
  template <int n> WL_MEMBER void InclusiveSum(T (&v)[n], T (&out)[n], T &all) { InclusiveScan(v, out, cuda::std::plus<>(), all); }
  template <int n, class Callback> WL_MEMBER void InclusiveSum(T (&v)[n], T (&out)[n], Callback &callback) { InclusiveScan(v, out, cuda::std::plus<>(), callback); }
  WL_MEMBER void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(), cuda::std::plus<>()); }
  WL_MEMBER void ExclusiveSum(T v, T &out, T &all) { ExclusiveScan(v, out, T(), cuda::std::plus<>(), all); }
  template <class Callback> WL_MEMBER void ExclusiveSum(T v, T &out, Callback &callback) { ExclusiveScan(v, out, cuda::std::plus<>(), callback); }
  template <int n> WL_MEMBER void ExclusiveSum(T (&v)[n], T (&out)[n]) { ExclusiveScan(v, out, T(), cuda::std::plus<>()); }
  template <int n> WL_MEMBER void ExclusiveSum(T (&v)[n], T (&out)[n], T &all) { ExclusiveScan(v, out, T(), cuda::std::plus<>(), all); }
  template <int n, class Callback> WL_MEMBER void ExclusiveSum(T (&v)[n], T (&out)[n], Callback &callback) { ExclusiveScan(v, out, cuda::std::plus<>(), callback); }
};
} // namespace cub
#endif
