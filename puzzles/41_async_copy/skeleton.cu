// expect: RULE
// 41_async_copy - fetch the next row while you work on this one.
//
// Each block sharpens every gridDim.x-th row of a picture: out = 3 * itself - left - right, where
// the two ends of a row are neighbours. A row has blockDim.x pixels, one for each thread. The
// kernel below is right, but it orders a row, waits for it, and only then works: copying and
// computing never happen at the same time.
//
// Your task: order the next row, into the other slot, before the work on this one.
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

  // TODO (about 6 lines to add or change)
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    order(&row[s][t], &in[r * width + t]);
    commit();
    wait_all_but<0>();
    __syncthreads(); // everybody's copies are there, not only mine
    out[r * width + t] = sharpen(row[s], t, width);
    __syncthreads(); // everybody is done with the slot
  }
}
