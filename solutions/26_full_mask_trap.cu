// 26_full_mask_trap - a reference answer.
//
// The shuffle stands outside of every condition, so all 32 lanes run it, as the full mask
// promises, and each lane that may be asked is there to answer. Lanes past the end of the data
// take part, too, with a gap. Only the use of the answer is conditional, and that needs nobody
// else.
//
// It does not matter whether the lanes arrive together: the shuffle waits for all that it names.
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  int partner = __shfl_xor_sync(FULL, mine, 1);
  if (mine == GAP) mine = partner;

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
