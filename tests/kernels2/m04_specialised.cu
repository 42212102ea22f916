// TOOLS nvrtc,clang
#include <cuda/barrier>
// Warp 0 brings tiles in by bulk copies, warps 1 and 2 use them; two buffers, full and empty.
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void k(const int *in, int *out, int tiles, int frees) {
  __shared__ alignas(128) int s[2][64];
  __shared__ barrier full[2], empty[2];
  if (threadIdx.x == 0) {
    for (int b = 0; b < 2; b++) {
      init(&full[b], 65);
      init(&empty[b], 65);
    }
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x) return;
    for (int i = 0; i < tiles; i++) {
      int b = i & 1;
      if (i >= 2) empty[b].arrive_and_wait();
      cuda::device::experimental::cp_async_bulk_global_to_shared(s[b], in + i * 64, sizeof s[b], full[b]);
      cuda::device::barrier_arrive_tx(full[b], 1, sizeof s[b]);
    }
  } else {
    int t = threadIdx.x - 32;
    for (int i = 0; i < tiles; i++) {
      int b = i & 1;
      full[b].arrive_and_wait();
      out[i * 64 + t] = s[b][63 - t];
      if (frees && i + 2 < tiles) (void)empty[b].arrive();
    }
  }
}
