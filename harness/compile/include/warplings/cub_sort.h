/* cub_sort.h - <cub/block/block_radix_sort.cuh> and block_histogram.cuh. The sort takes two bits of the keys at a time,
 * whatever RADIX_BITS says: the order that comes out is the same, it is stable. */
#ifndef WARPLINGS_CUB_SORT
#define WARPLINGS_CUB_SORT
#include "warplings/cub_move.h"

namespace cub {
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace wl {
/* Keys as unsigned numbers in the same order. */
template <int bytes> struct bits_of {};
template <> struct bits_of<1> { using type = unsigned char; };
template <> struct bits_of<2> { using type = unsigned short; };
template <> struct bits_of<4> { using type = unsigned; };
template <> struct bits_of<8> { using type = wl_u64; };
template <class K> struct ordered {
  WL_CUB_NEEDS(cuda::std::is_arithmetic_v<K>);
  using bits = typename bits_of<sizeof(K)>::type;
  static constexpr bits sign = (bits)1 << (sizeof(K) * 8 - 1);
  static WL_MEMBER bits in(K k) {
    bits b;
    memcpy(&b, &k, sizeof b);
    if constexpr (cuda::std::is_floating_point_v<K>) {
      if (b == sign) b = 0; /* the two zeros are equal */
      return b & sign ? (bits)~b : (bits)(b | sign);
    }
    return cuda::std::is_signed_v<K> ? (bits)(b ^ sign) : b;
  }
};
} // namespace wl

template <class K, int x, int n, class V = NullType, int radix_bits = 4, bool memoize = true, BlockScanAlgorithm inner = BLOCK_SCAN_WARP_SCANS, int shared_config = 0, int y = 1, int z = 1>
class BlockRadixSort {
  static constexpr int threads = x * y * z, items = threads * n;
  WL_CUB_NEEDS(items <= 65535); /* a count has 16 bits */
  static constexpr bool has_values = !cuda::std::is_same_v<V, NullType>;
  using Keys = BlockExchange<K, x, n, false, y, z>;
  using Values = BlockExchange<V, x, n, false, y, z>;
  using Scan = BlockScan<wl_u64, x, BLOCK_SCAN_WARP_SCANS, y, z>;

public:
  union TempStorage {
    typename Keys::TempStorage keys;
    typename Values::TempStorage values;
    typename Scan::TempStorage counts;
  };

private:
  /* Where each item goes by two bits of its key: behind all of smaller digits and those of its own before it. */
  template <bool down> WL_MEMBER void ranks(K (&keys)[n], int (&rank)[n], int bit, int bits) {
    int digit[n];
    wl_u64 mine = 0, before, all, start = 0;
    for (int i = 0; i < n; i++) {
      auto k = wl::ordered<K>::in(keys[i]);
      digit[i] = (int)((down ? (decltype(k))~k : k) >> bit) & ((1 << bits) - 1);
      mine += 1ull << (16 * digit[i]);
    }
    Scan(temp.counts).ExclusiveSum(mine, before, all);
    for (int d = 1; d < 4; d++) start |= (((start >> (16 * (d - 1))) + (all >> (16 * (d - 1)))) & 0xffff) << (16 * d);
    start += before;
    for (int i = 0; i < n; i++) {
      rank[i] = (int)(start >> (16 * digit[i])) & 0xffff;
      start += 1ull << (16 * digit[i]);
    }
    __syncthreads();
  }
  template <bool down, bool stripe> WL_MEMBER void sort(K (&keys)[n], V (&values)[n], int begin, int end) {
    int rank[n];
    /* The storage is in use from the first moment, also for a block of one warp. */
    memset(temp.keys.item.bytes + sizeof(K) * ((thread + 1) % threads), 0, sizeof(K));
    __syncthreads();
    for (int bit = begin; bit < end; bit += 2) {
      const bool last = bit + 2 >= end;
      ranks<down>(keys, rank, bit, end - bit < 2 ? end - bit : 2);
      if (stripe && last) Keys(temp.keys).ScatterToStriped(keys, rank);
      else Keys(temp.keys).ScatterToBlocked(keys, rank);
      if constexpr (has_values) {
        __syncthreads();
        if (stripe && last) Values(temp.values).ScatterToStriped(values, rank);
        else Values(temp.values).ScatterToBlocked(values, rank);
      }
      if (!last) __syncthreads();
    }
  }
  WL_CUB_STORAGE(BlockRadixSort)
#define WL_CUB_SORT(name, down, stripe)                                                            \
  WL_MEMBER void name(K (&keys)[n], int begin = 0, int end = sizeof(K) * 8) {                      \
    NullType none[n];                                                                              \
    WL_CUB_NEEDS(!has_values);                                                                     \
    sort<down, stripe>(keys, none, begin, end);                                                    \
  }                                                                                                \
  template <class W> WL_MEMBER void name(K (&keys)[n], W (&values)[n], int begin = 0, int end = sizeof(K) * 8) { sort<down, stripe>(keys, values, begin, end); }
  WL_CUB_SORT(Sort, false, false)
  WL_CUB_SORT(SortDescending, true, false)
  WL_CUB_SORT(SortBlockedToStriped, false, true)
  WL_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef WL_CUB_SORT
};

template <class T, int x, int n, int bins, BlockHistogramAlgorithm how = BLOCK_HISTO_SORT, int y = 1, int z = 1> class BlockHistogram {
  static constexpr int threads = x * y * z;
  static constexpr bool atomics = how == BLOCK_HISTO_ATOMIC;

public:
  struct TempStorage {
    unsigned count[atomics ? 1 : bins];
  };

private:
  WL_CUB_STORAGE(BlockHistogram)
  template <class Count> WL_MEMBER void InitHistogram(Count (&histogram)[bins]) {
    for (int b = thread; b < bins; b += threads) histogram[b] = 0;
  }
  /* By sorting, NVIDIA's finds how many of a bin there are, and one thread adds them with a plain addition. We count, and
   * leave the addition to another thread than the one that cleared the count: the storage is not free before. */
  template <class Count> WL_MEMBER void Composite(T (&items)[n], Count (&histogram)[bins]) {
    if constexpr (atomics) {
      for (int i = 0; i < n; i++) atomicAdd(&histogram[items[i]], (Count)1);
    } else {
      for (int b = thread; b < bins; b += threads) temp.count[b] = 0;
      __syncthreads();
      for (int i = 0; i < n; i++) atomicAdd(&temp.count[items[i]], 1u);
      __syncthreads();
      for (int b = (thread + 1) % threads; b < bins; b += threads)
        if (temp.count[b]) histogram[b] += (Count)temp.count[b];
    }
  }
  template <class Count> WL_MEMBER void Histogram(T (&items)[n], Count (&histogram)[bins]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
};
} // namespace cub
#endif
