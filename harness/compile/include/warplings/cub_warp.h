/* cub_warp.h - <cub/warp/...>: reductions and scans of a warp, or of parts of it, and what the files cub_*.h share.
 * Same names and same rules as NVIDIA's: a reduction's result is lane 0's alone, what a scan without a first
 * value leaves in lane 0 is nobody's business. What is missing here does not compile: then NVIDIA's are used. */
#ifndef WARPLINGS_CUB
#define WARPLINGS_CUB
#include "warplings/cuda_functional.h"

#define WL_CUB_NEEDS(condition) static_assert(condition, WL_NEEDS_TOOLKIT " for this form of cub")

namespace cub {
struct NullType {};
struct Sum : cuda::std::plus<> {}; /* up to CUDA 12 */
struct Max : cuda::maximum<> {};
struct Min : cuda::minimum<> {};
struct Equality : cuda::std::equal_to<> {};

namespace wl {
/* Room for n values in shared memory, whatever their constructors. */
template <class T, int n> struct slots {
  alignas(alignof(T)) char bytes[sizeof(T) * n];
  WL_MEMBER T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};

template <class T> struct words {
  static constexpr int count = (sizeof(T) + 3) / 4;
  unsigned word[count];
};
#define WL_CUB_SHUFFLE(name, from, type)                                                           \
  template <class T> WL_FN T name(unsigned mask, const T &v, type by, int width) {                 \
    words<T> w;                                                                                    \
    T result;                                                                                      \
    w.word[words<T>::count - 1] = 0;                                                               \
    memcpy(&w, &v, sizeof v);                                                                      \
    for (int i = 0; i < words<T>::count; i++) w.word[i] = from(mask, w.word[i], by, width);        \
    memcpy(&result, &w, sizeof result);                                                            \
    return result;                                                                                 \
  }
WL_CUB_SHUFFLE(from_lane, __shfl_sync, int)
WL_CUB_SHUFFLE(from_below, __shfl_up_sync, unsigned)
WL_CUB_SHUFFLE(from_above, __shfl_down_sync, unsigned)
#undef WL_CUB_SHUFFLE

WL_FN int lane() {
  unsigned v;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(v));
  return (int)v;
}
template <int x, int y, int z> WL_FN int thread() {
  int t = (int)threadIdx.x;
  if constexpr (y > 1) t += (int)threadIdx.y * x;
  if constexpr (z > 1) t += (int)threadIdx.z * x * y;
  return t;
}
/* The lanes that a block of n threads has in this thread's warp. */
template <int n> WL_FN unsigned lanes_of(int thread) {
  if constexpr (n % 32 == 0) return ~0u;
  else return thread / 32 < n / 32 ? ~0u : (1u << (n % 32)) - 1;
}
/* The lanes of this thread's part of the warp. */
template <int width> WL_FN unsigned part_of_warp() {
  if constexpr (width == 32) return ~0u;
  else return ((1u << width) - 1) << (lane() & ~(width - 1));
}

/* Left to right, so that operators need not commute. `count`: values in lanes 0 .. count - 1 of the part. */
template <int width, class T, class Op> WL_FN T reduce(unsigned mask, T v, Op op, int count) {
  const int at = lane() & (width - 1);
  for (int by = 1; by < width; by *= 2) {
    T other = from_above(mask, v, (unsigned)by, width);
    if (at + by < count) v = op(v, other);
  }
  return v;
}
template <int width, class T, class Op> WL_FN T scan(unsigned mask, T v, Op op) {
  const int at = lane() & (width - 1);
  for (int by = 1; by < width; by *= 2) {
    T other = from_below(mask, v, (unsigned)by, width);
    if (at >= by) v = op(other, v);
  }
  return v;
}
template <class T, int n, class Op> WL_FN T reduce_items(const T (&items)[n], Op op) {
  T v = items[0];
  for (int i = 1; i < n; i++) v = op(v, items[i]);
  return v;
}
} // namespace wl

WL_FN unsigned LaneId() { return (unsigned)wl::lane(); }
WL_FN unsigned WarpId() {
  unsigned v;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(v));
  return v;
}
WL_FN int RowMajorTid(int x, int y, int z) { return (z == 1 ? 0 : (int)threadIdx.z * x * y) + (y == 1 ? 0 : (int)threadIdx.y * x) + (int)threadIdx.x; }

template <class T, int width = 32> class WarpReduce {
  WL_CUB_NEEDS(width >= 1 && width <= 32 && (width & (width - 1)) == 0);
  /* Up to the next flag: `tail` flags end a segment, others begin one. */
  template <bool tail, class Op, class Flag> WL_MEMBER T segments(T v, Flag flag, Op op) {
    const unsigned mask = wl::part_of_warp<width>();
    const int l = wl::lane(), first = l & ~(width - 1);
    unsigned flags = __ballot_sync(mask, flag) & mask;
    flags = tail ? flags >> l << l : (l == 31 ? 0 : flags >> (l + 1) << (l + 1));
    int end = flags ? __ffs((int)flags) - (tail ? 0 : 1) : first + width;
    return wl::reduce<width>(mask, v, op, end - first);
  }

public:
  struct TempStorage {}; /* shuffles need none */
  WL_MEMBER WarpReduce(TempStorage &) {}
  template <class Op> WL_MEMBER T Reduce(T v, Op op) { return wl::reduce<width>(wl::part_of_warp<width>(), v, op, width); }
  template <class Op> WL_MEMBER T Reduce(T v, Op op, int valid) { return wl::reduce<width>(wl::part_of_warp<width>(), v, op, valid); }
  template <int n, class Op> WL_MEMBER T Reduce(const T (&items)[n], Op op) { return Reduce(wl::reduce_items(items, op), op); }
  WL_MEMBER T Sum(T v) { return Reduce(v, cuda::std::plus<>()); }
  WL_MEMBER T Sum(T v, int valid) { return Reduce(v, cuda::std::plus<>(), valid); }
  template <int n> WL_MEMBER T Sum(const T (&items)[n]) { return Reduce(items, cuda::std::plus<>()); }
  WL_MEMBER T Max(T v) { return Reduce(v, cuda::maximum<>()); }
  WL_MEMBER T Max(T v, int valid) { return Reduce(v, cuda::maximum<>(), valid); }
  WL_MEMBER T Min(T v) { return Reduce(v, cuda::minimum<>()); }
  WL_MEMBER T Min(T v, int valid) { return Reduce(v, cuda::minimum<>(), valid); }
  template <class Flag, class Op> WL_MEMBER T HeadSegmentedReduce(T v, Flag head, Op op) { return segments<false>(v, head, op); }
  template <class Flag, class Op> WL_MEMBER T TailSegmentedReduce(T v, Flag tail, Op op) { return segments<true>(v, tail, op); }
  template <class Flag> WL_MEMBER T HeadSegmentedSum(T v, Flag head) { return segments<false>(v, head, cuda::std::plus<>()); }
  template <class Flag> WL_MEMBER T TailSegmentedSum(T v, Flag tail) { return segments<true>(v, tail, cuda::std::plus<>()); }
};

template <class T, int width = 32> class WarpScan {
  WL_CUB_NEEDS(width >= 1 && width <= 32 && (width & (width - 1)) == 0);
  static WL_MEMBER int at() { return wl::lane() & (width - 1); }
  static WL_MEMBER T last(T v) { return wl::from_lane(wl::part_of_warp<width>(), v, width - 1, width); }
  static WL_MEMBER T shifted(T v) { return wl::from_below(wl::part_of_warp<width>(), v, 1, width); }
  template <class Op> static WL_MEMBER T with_first(T first, T before, Op op) { return at() ? op(first, before) : first; }

public:
  struct TempStorage {};
  WL_MEMBER WarpScan(TempStorage &) {}
  WL_MEMBER T Broadcast(T v, unsigned from) { return wl::from_lane(wl::part_of_warp<width>(), v, (int)from, width); }

  template <class Op> WL_MEMBER void InclusiveScan(T v, T &out, Op op) { out = wl::scan<width>(wl::part_of_warp<width>(), v, op); }
  template <class Op> WL_MEMBER void InclusiveScan(T v, T &out, Op op, T &all) {
    InclusiveScan(v, out, op);
    all = last(out);
  }
  template <class Op> WL_MEMBER void ExclusiveScan(T v, T &out, Op op) { out = shifted(wl::scan<width>(wl::part_of_warp<width>(), v, op)); }
  template <class Op> WL_MEMBER void ExclusiveScan(T v, T &out, T first, Op op) {
    ExclusiveScan(v, out, op);
    out = with_first(first, out, op);
  }
  template <class Op> WL_MEMBER void ExclusiveScan(T v, T &out, Op op, T &all) { Scan(v, v, out, op, all); }
  template <class Op> WL_MEMBER void ExclusiveScan(T v, T &out, T first, Op op, T &all) {
    Scan(v, v, out, op, all);
    out = with_first(first, out, op);
  }
  template <class Op> WL_MEMBER void Scan(T v, T &inclusive, T &exclusive, Op op) {
    inclusive = wl::scan<width>(wl::part_of_warp<width>(), v, op);
    exclusive = shifted(inclusive);
  }
  template <class Op> WL_MEMBER void Scan(T v, T &inclusive, T &exclusive, T first, Op op) {
    Scan(v, inclusive, exclusive, op);
    exclusive = with_first(first, exclusive, op);
    inclusive = op(first, inclusive);
  }
  WL_MEMBER void InclusiveSum(T v, T &out) { InclusiveScan(v, out, cuda::std::plus<>()); }
  WL_MEMBER void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, cuda::std::plus<>(), all); }
  WL_MEMBER void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(), cuda::std::plus<>()); }
  WL_MEMBER void ExclusiveSum(T v, T &out, T &all) { ExclusiveScan(v, out, T(), cuda::std::plus<>(), all); }

private:
  template <class Op> static WL_MEMBER void Scan(T v, T &inclusive, T &exclusive, Op op, T &all) {
    T whole = wl::scan<width>(wl::part_of_warp<width>(), v, op);
    all = last(whole);
    inclusive = whole;
    exclusive = shifted(whole);
  }
};
} // namespace cub
#endif
