// expect: PASS
// Why: no pair at all. First the value is settled by atomics; after a barrier everybody knows it,
// and those who have it compete for the lowest index.

__global__ void block_extremes(const int *in, int n, int *max_value, int *max_index,
                               int *min_value, int *min_index) {
  __shared__ int high, high_at, low, low_at;
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;

  if (t == 0) {
    high = low = in[first];
    high_at = low_at = n;
  }
  __syncthreads();
  if (i < n) {
    atomicMax(&high, in[i]);
    atomicMin(&low, in[i]);
  }
  __syncthreads();
  if (i < n && in[i] == high) atomicMin(&high_at, i);
  if (i < n && in[i] == low) atomicMin(&low_at, i);
  __syncthreads();

  if (t == 0) {
    max_value[blockIdx.x] = high;
    max_index[blockIdx.x] = high_at;
    min_value[blockIdx.x] = low;
    min_index[blockIdx.x] = low_at;
  }
}
