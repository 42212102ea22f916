// ramp.cu - where a queue does pay: persistent warps and work that grows with the item's number. Three ways
// to hand the same items out.
#include "claims.h"

__device__ float item(const float *in, int i, int n) {
  int trips = int(512LL * i / n);
  float sum = 0;
  for (int k = 0; k < trips; k++) {
    float y = static_cast<const volatile float *>(in)[i];
    sum += sinf(y) * cosf(y);
  }
  return sum;
}

__global__ void one_thread_each(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = item(in, i, n);
}

__global__ void fixed_shares(const float *in, float *out, int n) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int warps = gridDim.x * blockDim.x / 32;
  int share = ((n + warps - 1) / warps + 31) / 32 * 32;
  for (int i = warp * share + lane; i < (warp + 1) * share && i < n; i += 32) out[i] = item(in, i, n);
}

__global__ void queue(const float *in, float *out, int n, int *next, int portion) {
  int lane = threadIdx.x % 32;
  for (;;) {
    int first = 0;
    if (lane == 0) first = atomicAdd(next, portion);
    first = __shfl_sync(FULL, first, 0);
    if (first >= n) return;
    for (int i = first + lane; i < first + portion && i < n; i += 32) out[i] = item(in, i, n);
  }
}

int main() {
  cudaDeviceProp gpu = the_gpu();
  const int n = 1 << 20, threads = 256;
  const float *in = ramp_input(n);
  float *out = on_gpu<float>(n);
  int *next = on_gpu<int>(1), per_sm = 0;
  must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, queue, threads, 0), "occupancy");
  int resident = per_sm * gpu.multiProcessorCount;
  auto reset = [=] { must(cudaMemset(next, 0, sizeof *next), "cudaMemset"); };
  printf("ramp: ms, %s, %d resident blocks of %d\n", gpu.name, resident, threads);
  printf("  %-34s %8.3f\n", "persistent, fixed shares",
         median_ms([] {}, [=] { fixed_shares<<<resident, threads>>>(in, out, n); }));
  for (int portion = 32; portion <= 512; portion *= 4)
    printf("  persistent, queue, portions of %-3d %8.3f\n", portion,
           median_ms(reset, [=] { queue<<<resident, threads>>>(in, out, n, next, portion); }));
  printf("  %-34s %8.3f\n", "one thread for each item",
         median_ms([] {}, [=] { one_thread_each<<<n / threads, threads>>>(in, out, n); }));
}
