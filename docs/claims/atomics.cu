// atomics.cu - what aggregation and batches save at one counter. Adding without looking at the result is one thing: the
// compiler aggregates that by itself. Drawing tickets is another.
#include "claims.h"

__global__ void add_each(int *counter) { atomicAdd(counter, 1); }

__global__ void add_by_warp(int *counter) {
  int sum = __reduce_add_sync(FULL, 1); // redux.sync: sm_80 and later
  if (threadIdx.x % 32 == 0) atomicAdd(counter, sum);
}

// As many tickets as there are threads, `batch` for each atomic; with 32 and more a lane draws for its warp.
__global__ void draw(int *counter, int n, int batch, int *seen) {
  int last = 0;
  if (batch < 32) {
    for (;;) {
      int first = atomicAdd(counter, batch);
      if (first >= n) break;
      last = first;
    }
  } else {
    for (;;) {
      int first = 0;
      if (threadIdx.x % 32 == 0) first = atomicAdd(counter, batch);
      first = __shfl_sync(FULL, first, 0);
      if (first >= n) break;
      last = first;
    }
  }
  if (last == -1) *seen = last; // never: keeps the result wanted
}

int main() {
  cudaDeviceProp gpu = the_gpu();
  const int n = 1 << 20, threads = 256;
  int *counter = on_gpu<int>(1), *seen = on_gpu<int>(1);
  auto reset = [=] { must(cudaMemset(counter, 0, sizeof *counter), "cudaMemset"); };
  printf("atomics: ms for 2^20, %s\n", gpu.name);
  printf("  %-34s %8.4f\n", "add 1, every thread",
         median_ms(reset, [=] { add_each<<<n / threads, threads>>>(counter); }));
  if (from_gpu(counter, 1)[0] != n) return puts("wrong sum"), 1;
  printf("  %-34s %8.4f\n", "__reduce_add_sync, one add a warp",
         median_ms(reset, [=] { add_by_warp<<<n / threads, threads>>>(counter); }));
  if (from_gpu(counter, 1)[0] != n) return puts("wrong sum"), 1;
  int resident = gpu.multiProcessorCount * (gpu.maxThreadsPerMultiProcessor / threads);
  for (int batch : {1, 8, 32, 128, 512})
    printf("  draw all tickets, %3d at a time     %8.4f\n", batch,
           median_ms(reset, [=] { draw<<<resident, threads>>>(counter, n, batch, seen); }));
}
