// expect: PASS
// run: --grid 3 --block 96 --arg buf:u8:1000:iota --arg buf:u32:16:zero --arg i32:1000 --expect 1=63*8,62*8
// Histogram: each warp its own copy in shared memory, bytes read four at a time.
#define BINS 16
__global__ void histogram(const unsigned char *data, unsigned *hist, int n) {
  __shared__ unsigned priv[3][BINS];
  for (int i = threadIdx.x; i < 3 * BINS; i += blockDim.x) (&priv[0][0])[i] = 0;
  __syncthreads();
  unsigned *mine = priv[threadIdx.x / 32];
  const uchar4 *quads = reinterpret_cast<const uchar4 *>(data);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
    uchar4 q = quads[i];
    atomicAdd(&mine[q.x % BINS], 1);
    atomicAdd(&mine[q.y % BINS], 1);
    atomicAdd(&mine[q.z % BINS], 1);
    atomicAdd(&mine[q.w % BINS], 1);
  }
  __syncthreads();
  if (threadIdx.x < BINS) {
    unsigned sum = priv[0][threadIdx.x] + priv[1][threadIdx.x] + priv[2][threadIdx.x];
    if (sum) atomicAdd(&hist[threadIdx.x], sum);
  }
}
