// expect: UNINIT
// The mask is computed properly, by a vote of all lanes, and names exactly the lanes in the
// branch. The partner that is asked is still not among them.
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  unsigned asking = __ballot_sync(FULL, mine == GAP);
  if (mine == GAP) {
    mine = __shfl_xor_sync(asking, mine, 1);
  }

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
