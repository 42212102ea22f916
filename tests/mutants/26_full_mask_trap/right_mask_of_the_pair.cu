// expect: PASS
// Each pair has a mask of its own: the two lanes wait for each other and nobody else.

#define FULL 0xffffffffu // all 32 lanes take part
#define GAP  (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  unsigned pair = 3u << (threadIdx.x % 32 & 30);
  int other = __shfl_xor_sync(pair, mine, 1);
  mine = mine == GAP ? other : mine;

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
