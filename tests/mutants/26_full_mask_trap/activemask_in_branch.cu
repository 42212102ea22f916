// expect: UNINIT
// Nobody is waited for, since the mask names who is here. But the partner with the reading is
// not: the value from a lane outside the mask is undefined, and it decides the count of the gaps.
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  if (mine == GAP) {
    mine = __shfl_xor_sync(__activemask(), mine, 1);
  }

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
