// expect: RULE
// No copy at all, so no wait for one: every pixel is loaded three times from global memory.

#define WIDTH_MAX 256

// Begins to copy one int from global to shared memory. The thread goes on; nobody may touch either
// end until the copy has been waited for.
__device__ void order(int *to, const int *from) {
  unsigned shared = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(from) : "memory");
}
// Puts all copies that this thread has ordered since the last commit into a group (maybe an empty
// one).
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Waits until all groups of this thread are there, except the N that it committed last.
template <int N> __device__ void wait_all_but() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

__device__ int sharpen(const int *row, int t, int width) {
  return 3 * row[t] - row[(t + width - 1) % width] - row[(t + 1) % width];
}

__global__ void sharpen_rows(const int *in, int *out, int rows) {
  __shared__ int row[2][WIDTH_MAX];
  int t = threadIdx.x, width = blockDim.x;
  int s = 0; // the slot of the row at hand

  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const int *q = &in[r * width];
    out[r * width + t] = 3 * q[t] - q[(t + width - 1) % width] - q[(t + 1) % width];
  }
}
