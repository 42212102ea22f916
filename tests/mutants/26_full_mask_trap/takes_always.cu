// expect: WRONG
// The deadlock is gone, but in a warp with a gap every lane takes its partner's reading, asked or
// not.
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  if (__any_sync(FULL, mine == GAP)) {
    mine = __shfl_xor_sync(FULL, mine, 1);
  }

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
