// expect: DEADLOCK line 15
// The lanes with a reading write it and leave. The shuffle names them, and they have exited.
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  if (mine != GAP) {
    out[i] = mine;
    return;
  }
  mine = __shfl_xor_sync(FULL, mine, 1); // names lanes that are gone

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
