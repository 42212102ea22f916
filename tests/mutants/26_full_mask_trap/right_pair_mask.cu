// expect: PASS
// Right: each pair is a conversation of its own, with a mask that names just the two. Both run
// it.
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  int lane = threadIdx.x % 32;
  unsigned pair = 3u << (lane & ~1);
  int partner = __shfl_xor_sync(pair, mine, 1);
  mine = mine == GAP ? partner : mine;

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
