// hierarchical.cu - a block claims a chunk, its threads share it out. The article's version goes on from the chunk's start to
// the last item of all and never looks at the chunk's end; this counts what that means. The loop is written anew, in the same
// order of steps, with barriers where all threads come to them.
#include "claims.h"

__global__ void chunks(int n, int chunk, bool looks_at_end, int *next, int *done, unsigned long long *items) {
  __shared__ int start;
  unsigned long long mine = 0;
  for (;;) {
    if (threadIdx.x == 0) start = atomicAdd(next, chunk);
    __syncthreads();
    int first = start;
    __syncthreads(); // read by all before it is claimed anew
    if (first >= n) break;
    int end = looks_at_end ? min(first + chunk, n) : n;
    for (int i = first + threadIdx.x; i < end; i += blockDim.x) {
      atomicAdd(&done[i], 1);
      mine++;
    }
  }
  atomicAdd(items, mine);
}

int main() {
  cudaDeviceProp gpu = the_gpu();
  const int n = 65536, blocks = 64, threads = 256, chunk = 256;
  int *next = on_gpu<int>(1), *done = on_gpu<int>(n);
  auto *items = on_gpu<unsigned long long>(1);
  auto reset = [=] {
    must(cudaMemset(next, 0, sizeof *next), "cudaMemset");
    must(cudaMemset(done, 0, n * sizeof *done), "cudaMemset");
    must(cudaMemset(items, 0, sizeof *items), "cudaMemset");
  };
  printf("hierarchical: %d items, %d blocks, chunks of %d, %s\n", n, blocks, chunk, gpu.name);
  for (bool looks : {false, true}) {
    float ms = median_ms(reset, [=] { chunks<<<blocks, threads>>>(n, chunk, looks, next, done, items); });
    std::vector<int> d = from_gpu(done, n);
    printf("  %-28s %9llu items done, the most often done one %3d times, %8.4f ms\n",
           looks ? "up to the chunk's end" : "the end ignored", from_gpu(items, 1)[0],
           *std::max_element(d.begin(), d.end()), ms);
  }
}
