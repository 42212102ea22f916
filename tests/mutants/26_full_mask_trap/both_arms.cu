// expect: DEADLOCK line 13
// Every lane runs a shuffle, but not the same one: those in the first arm wait for the others to
// come to the first, those in the second arm wait at the second.
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  if (mine == GAP) {
    mine = __shfl_xor_sync(FULL, mine, 1); // one
  } else {
    __shfl_xor_sync(FULL, mine, 1);
  }

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
