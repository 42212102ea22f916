// expect: PASS
// run: --grid 1 --block 96 --arg buf:i32:512:iota --arg buf:i32:64:zero --arg i32:8 --expect 1=1792,1800,1808,1816,1824,1832,1840,1848,1856,1864,1872,1880,1888,1896,1904,1912,1920,1928,1936,1944,1952,1960
// One producer warp, two consumer warps, cuda::barrier full and empty for each of two stages.
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void special(const int *in, int *out, int rounds) {
  __shared__ barrier full[2], empty[2];
  __shared__ int stage[2][64];
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; i++) {
      init(&full[i], 96);
      init(&empty[i], 96);
    }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; r++) {
      empty[r % 2].arrive_and_wait();
      stage[r % 2][threadIdx.x] = in[r * 64 + threadIdx.x];
      stage[r % 2][threadIdx.x + 32] = in[r * 64 + threadIdx.x + 32];
      auto token = full[r % 2].arrive();
    }
  } else {
    int t = threadIdx.x - 32, sum = 0;
    auto e0 = empty[0].arrive(), e1 = empty[1].arrive();
    for (int r = 0; r < rounds; r++) {
      full[r % 2].arrive_and_wait();
      sum += stage[r % 2][t];
      if (r + 2 < rounds) auto e = empty[r % 2].arrive();
    }
    out[t] = sum;
  }
}
