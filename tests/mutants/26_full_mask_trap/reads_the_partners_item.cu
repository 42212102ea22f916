// expect: RULE
// A gap is filled from global memory. No shuffle, no trap: and a second trip for each gap.

#define FULL 0xffffffffu // all 32 lanes take part
#define GAP  (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  if (mine == GAP && i < n && (i ^ 1) < n) mine = in[i ^ 1];

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
