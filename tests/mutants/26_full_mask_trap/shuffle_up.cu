// expect: WRONG
// The partner of an odd lane is the one below, that of an even lane the one above. `up` asks the
// lane below in both cases.
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  int partner = __shfl_up_sync(FULL, mine, 1);
  if (mine == GAP) mine = partner;

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
