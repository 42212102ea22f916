/* cub_move.h - <cub/block/block_load.cuh>, block_store.cuh and block_exchange.cuh: items between memory and threads, and
 * between threads. Blocked: thread t has items t n .. t n + n - 1; striped: t, t + threads, ...; of a warp: the same
 * within the warp's part. */
#ifndef WARPLINGS_CUB_MOVE
#define WARPLINGS_CUB_MOVE
#include "warplings/cub_block.h"

namespace cub {
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };

namespace wl {
template <int n> WL_FN int blocked(int thread, int i) { return thread * n + i; }
template <int threads> WL_FN int striped(int thread, int i) { return i * threads + thread; }
template <int n> WL_FN int warp_striped(int thread, int i) { return thread / 32 * 32 * n + i * 32 + thread % 32; }
} // namespace wl

/* ---- functions: item i of thread `linear` is element `at` of the tile ---- */
#define WL_CUB_LOADS(name, parameters, at)                                                         \
  template <WL_CUB_##parameters class T, int n, class From> WL_FN void Load##name(int linear, From from, T (&items)[n]) { \
    for (int i = 0; i < n; i++) items[i] = from[at];                                               \
  }                                                                                                \
  template <WL_CUB_##parameters class T, int n, class From> WL_FN void Load##name(int linear, From from, T (&items)[n], int valid) { \
    for (int i = 0; i < n; i++)                                                                    \
      if (at < valid) items[i] = from[at];                                                         \
  }                                                                                                \
  template <WL_CUB_##parameters class T, class Other, int n, class From> WL_FN void Load##name(int linear, From from, T (&items)[n], int valid, Other other) { \
    for (int i = 0; i < n; i++) items[i] = at < valid ? static_cast<T>(from[at]) : static_cast<T>(other); \
  }
#define WL_CUB_STORES(name, parameters, at)                                                        \
  template <WL_CUB_##parameters class T, int n, class To> WL_FN void Store##name(int linear, To to, T (&items)[n]) { \
    for (int i = 0; i < n; i++) to[at] = items[i];                                                 \
  }                                                                                                \
  template <WL_CUB_##parameters class T, int n, class To> WL_FN void Store##name(int linear, To to, T (&items)[n], int valid) { \
    for (int i = 0; i < n; i++)                                                                    \
      if (at < valid) to[at] = items[i];                                                           \
  }
#define WL_CUB_NONE
#define WL_CUB_THREADS int threads,
WL_CUB_LOADS(DirectBlocked, NONE, (wl::blocked<n>(linear, i)))
WL_CUB_LOADS(DirectStriped, THREADS, (wl::striped<threads>(linear, i)))
WL_CUB_LOADS(DirectWarpStriped, NONE, (wl::warp_striped<n>(linear, i)))
WL_CUB_STORES(DirectBlocked, NONE, (wl::blocked<n>(linear, i)))
WL_CUB_STORES(DirectStriped, THREADS, (wl::striped<threads>(linear, i)))
WL_CUB_STORES(DirectWarpStriped, NONE, (wl::warp_striped<n>(linear, i)))
#undef WL_CUB_LOADS
#undef WL_CUB_STORES
#undef WL_CUB_NONE
#undef WL_CUB_THREADS

template <class T, int x, int n, bool time_sliced = false, int y = 1, int z = 1> class BlockExchange {
  static constexpr int threads = x * y * z;

public:
  struct TempStorage {
    wl::slots<T, threads * n> item;
  };

private:
  /* The storage is in use until here: a look at what the neighbour writes first in the next use. */
  WL_MEMBER void done() {
    const int other = (thread ^ 1) < threads ? thread ^ 1 : thread;
    (void)*(volatile char *)&temp.item[other * n];
  }
  WL_MEMBER void warp_done() { __syncwarp(wl::lanes_of<threads>(thread)); }
  WL_CUB_STORAGE(BlockExchange)
/* Items go to their places in the storage, and come back by another rule. Other types of output convert. */
#define WL_CUB_EXCHANGE(name, write, meet, read)                                                   \
  template <class Out> WL_MEMBER void name(const T (&in)[n], Out (&out)[n]) {                      \
    for (int i = 0; i < n; i++) temp.item[write] = in[i];                                          \
    meet;                                                                                          \
    for (int i = 0; i < n; i++) out[i] = temp.item[read];                                          \
    done();                                                                                        \
  }                                                                                                \
  WL_MEMBER void name(T (&items)[n]) { name(items, items); }
  WL_CUB_EXCHANGE(StripedToBlocked, (wl::striped<threads>(thread, i)), __syncthreads(), (wl::blocked<n>(thread, i)))
  WL_CUB_EXCHANGE(BlockedToStriped, (wl::blocked<n>(thread, i)), __syncthreads(), (wl::striped<threads>(thread, i)))
  WL_CUB_EXCHANGE(WarpStripedToBlocked, (wl::warp_striped<n>(thread, i)), warp_done(), (wl::blocked<n>(thread, i)))
  WL_CUB_EXCHANGE(BlockedToWarpStriped, (wl::blocked<n>(thread, i)), warp_done(), (wl::warp_striped<n>(thread, i)))
#undef WL_CUB_EXCHANGE
#define WL_CUB_SCATTER(name, read)                                                                 \
  template <class Out, class Rank> WL_MEMBER void name(const T (&in)[n], Out (&out)[n], Rank (&rank)[n]) { \
    for (int i = 0; i < n; i++) temp.item[(int)rank[i]] = in[i];                                   \
    __syncthreads();                                                                               \
    for (int i = 0; i < n; i++) out[i] = temp.item[read];                                          \
    done();                                                                                        \
  }                                                                                                \
  template <class Rank> WL_MEMBER void name(T (&items)[n], Rank (&rank)[n]) { name(items, items, rank); }
  WL_CUB_SCATTER(ScatterToBlocked, (wl::blocked<n>(thread, i)))
  WL_CUB_SCATTER(ScatterToStriped, (wl::striped<threads>(thread, i)))
#undef WL_CUB_SCATTER
};

template <class T, int x, int n, BlockLoadAlgorithm how = BLOCK_LOAD_DIRECT, int y = 1, int z = 1> class BlockLoad {
  static constexpr int threads = x * y * z;
  static constexpr bool by_block = how == BLOCK_LOAD_TRANSPOSE, by_warp = how >= BLOCK_LOAD_WARP_TRANSPOSE;
  using Exchange = BlockExchange<T, x, n, false, y, z>;
  struct nothing {};

public:
  using TempStorage = cuda::std::conditional_t<by_block || by_warp, typename Exchange::TempStorage, nothing>;

private:
  WL_MEMBER void turn(T (&items)[n]) {
    if constexpr (by_block) Exchange(temp).StripedToBlocked(items);
    if constexpr (by_warp) Exchange(temp).WarpStripedToBlocked(items);
  }
  WL_CUB_STORAGE(BlockLoad)
  template <class From, class... More> WL_MEMBER void Load(From from, T (&items)[n], More... more) {
    if constexpr (by_block || how == BLOCK_LOAD_STRIPED) LoadDirectStriped<threads>(thread, from, items, more...);
    else if constexpr (by_warp) LoadDirectWarpStriped(thread, from, items, more...);
    else LoadDirectBlocked(thread, from, items, more...);
    turn(items);
  }
};

template <class T, int x, int n, BlockStoreAlgorithm how = BLOCK_STORE_DIRECT, int y = 1, int z = 1> class BlockStore {
  static constexpr int threads = x * y * z;
  static constexpr bool by_block = how == BLOCK_STORE_TRANSPOSE, by_warp = how >= BLOCK_STORE_WARP_TRANSPOSE;
  using Exchange = BlockExchange<T, x, n, false, y, z>;
  struct nothing {};

public:
  using TempStorage = cuda::std::conditional_t<by_block || by_warp, typename Exchange::TempStorage, nothing>;

private:
  WL_MEMBER void turn(T (&items)[n]) {
    if constexpr (by_block) Exchange(temp).BlockedToStriped(items);
    if constexpr (by_warp) Exchange(temp).BlockedToWarpStriped(items);
  }
  WL_CUB_STORAGE(BlockStore)
  template <class To, class... More> WL_MEMBER void Store(To to, T (&items)[n], More... more) {
    turn(items);
    if constexpr (by_block || how == BLOCK_STORE_STRIPED) StoreDirectStriped<threads>(thread, to, items, more...);
    else if constexpr (by_warp) StoreDirectWarpStriped(thread, to, items, more...);
    else StoreDirectBlocked(thread, to, items, more...);
  }
};
} // namespace cub
#endif
