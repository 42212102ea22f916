// expect: PASS
// Right: the branch is taken by whole pairs, and its mask, made by a vote of all lanes, names
// these pairs.
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  unsigned asking = __ballot_sync(FULL, mine == GAP);
  unsigned pairs = asking | ((asking & 0x55555555u) << 1) | ((asking & 0xaaaaaaaau) >> 1);
  int lane = threadIdx.x % 32;
  if (pairs >> lane & 1) {
    int partner = __shfl_xor_sync(pairs, mine, 1);
    if (mine == GAP) mine = partner;
  }

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
