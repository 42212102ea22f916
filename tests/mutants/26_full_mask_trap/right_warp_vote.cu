// expect: PASS
// Right: the condition around the shuffle comes from a vote, so it is the same in all 32 lanes.
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  if (__any_sync(FULL, mine == GAP)) {
    int partner = __shfl_xor_sync(FULL, mine, 1);
    if (mine == GAP) mine = partner;
  }

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
