// expect: WRONG
//
// 12 - Tree reduce
//
// out[b] is the sum of the items of block b. The block has laid its items out in shared memory,
// with a 0 where it has no item. Add them up as a tree: in each step half of the sums is added to
// the other half, by many threads at once. The block may have any number of threads, odd ones
// too.

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  // TODO (about 6 lines): bring the total into sum[0].

  if (t == 0) out[blockIdx.x] = sum[0];
}
