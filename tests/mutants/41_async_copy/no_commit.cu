// expect: RACE
// Nothing is ever committed, so there is no group to wait for.
#define WIDTH_MAX 256

__device__ void order(int *to, const int *from) {
  unsigned shared = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ void wait_all_but() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

__device__ int sharpen(const int *row, int t, int width) {
  return 3 * row[t] - row[(t + width - 1) % width] - row[(t + 1) % width];
}

__global__ void sharpen_rows(const int *in, int *out, int rows) {
  __shared__ int row[2][WIDTH_MAX];
  int t = threadIdx.x, width = blockDim.x;
  int s = 0;

  if (blockIdx.x < rows) order(&row[s][t], &in[blockIdx.x * width + t]);
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    int next = r + gridDim.x;
    if (next < rows) order(&row[1 - s][t], &in[next * width + t]);
    wait_all_but<1>();
    __syncthreads();
    out[r * width + t] = sharpen(row[s], t, width);
    __syncthreads();
    s = 1 - s;
  }
}
