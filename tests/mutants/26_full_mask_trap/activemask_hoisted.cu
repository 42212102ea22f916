// expect: UNINIT
// The shuffle is outside the condition, but its mask is a report of who is here. After `if (i <
// n)` the lanes need not have come together again: under the split schedule the partner is
// missing from the mask, and with it a value. (The table of puzzles also allows WRONG; undefined
// values make it UNINIT.)
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  unsigned here = __activemask();
  int partner = __shfl_xor_sync(here, mine, 1);
  if (mine == GAP) mine = partner;

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
