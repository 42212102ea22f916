// occupancy.cu - how many blocks fit on an SM at once: the fixed limit, and what comes before it.
#include "claims.h"

__global__ void small(int *out) { out[threadIdx.x] = 1; }

int main() {
  cudaDeviceProp gpu = the_gpu();
  int limit = gpu.maxBlocksPerMultiProcessor, sms = gpu.multiProcessorCount;
  printf("occupancy: %s, %d SMs, at most %d blocks on each: %d\n", gpu.name, sms, limit, limit * sms);
  printf("  %8s %14s %14s %12s\n", "threads", "shared bytes", "blocks an SM", "in all");
  must(cudaFuncSetAttribute(small, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 << 10), "attribute");
  for (int threads : {32, 64, 128, 256, 1024})
    for (int shared : {0, 16 << 10, 48 << 10}) {
      int fit = 0;
      must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, small, threads, shared), "occupancy");
      printf("  %8d %14d %14d %12d\n", threads, shared, fit, fit * sms);
    }
}
