// TIER advanced TOOLS nvrtc,clang
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_store.cuh>
template <cub::BlockLoadAlgorithm in, cub::BlockStoreAlgorithm out> __device__ void through(const int *d, int *o, int valid) {
  using L = cub::BlockLoad<int, 64, 4, in>;
  using S = cub::BlockStore<int, 64, 4, out>;
  __shared__ union { typename L::TempStorage l; typename S::TempStorage s; } t;
  int v[4];
  L(t.l).Load(d, v, valid, -1);
  __syncthreads();
  for (int i = 0; i < 4; i++) v[i] = v[i] * 10 + i;
  S(t.s).Store(o, v, valid);
}
__global__ void move(const int *d, int *o) {
  through<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>(d, o, 250);
  through<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>(d, o + 256, 250);
  through<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(d, o + 512, 250);
  through<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(d, o + 768, 250);
  using X = cub::BlockExchange<int, 64, 4>;
  __shared__ X::TempStorage x;
  int v[4], r[4], t = threadIdx.x;
  cub::LoadDirectBlocked(t, d, v);
  for (int i = 0; i < 4; i++) r[i] = (t * 4 + i) * 3 % 256;
  X(x).ScatterToStriped(v, r);
  cub::StoreDirectStriped<64>(t, o + 1024, v);
}
__global__ void sort(const int *d, int *o) {
  using I = cub::BlockRadixSort<int, 64, 4>;
  __shared__ I::TempStorage t;
  int v[4], at = threadIdx.x * 4;
  for (int i = 0; i < 4; i++) v[i] = d[at + i] * 37 % 101 - 50;
  I(t).Sort(v);
  for (int i = 0; i < 4; i++) o[at + i] = v[i];
}
__global__ void sort_pairs(const int *d, int *o) {
  using P = cub::BlockRadixSort<float, 64, 2, int>;
  using I = cub::BlockRadixSort<int, 64, 2>;
  __shared__ union { P::TempStorage p; I::TempStorage i; } t;
  int w[2], at = threadIdx.x * 2;
  float f[2];
  for (int i = 0; i < 2; i++) f[i] = (d[at + i] * 37 % 101 - 50) * .25f, w[i] = at + i;
  P(t.p).SortDescending(f, w);
  for (int i = 0; i < 2; i++) o[at + i] = w[i];
  __syncthreads();
  I(t.i).SortBlockedToStriped(w, 1, 6);
  for (int i = 0; i < 2; i++) o[128 + threadIdx.x + 64 * i] = w[i];
}
__global__ void histogram(const int *d, int *o) {
  using A = cub::BlockHistogram<unsigned char, 64, 4, 16, cub::BLOCK_HISTO_ATOMIC>;
  using S = cub::BlockHistogram<unsigned char, 64, 4, 16>;
  __shared__ union { A::TempStorage a; S::TempStorage s; } t;
  __shared__ int h[16];
  __shared__ unsigned g[16];
  unsigned char v[4], w[4];
  for (int i = 0; i < 4; i++) v[i] = w[i] = d[threadIdx.x * 4 + i] * 7 % 13;
  A(t.a).InitHistogram(h);
  __syncthreads();
  A(t.a).Composite(v, h);
  S(t.s).Histogram(v, g);
  __syncthreads();
  S(t.s).Composite(w, g);
  __syncthreads();
  if (threadIdx.x < 16) o[threadIdx.x] = h[threadIdx.x], o[16 + threadIdx.x] = g[threadIdx.x];
}
