// expect: DEADLOCK line 13
// Still in the branch. The __syncwarp that should gather the warp names all lanes, too, so the
// lanes with a gap already wait there, and the others at the block's barrier.
#define FULL 0xffffffffu
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  if (mine == GAP) {
    __syncwarp(); // gathers nobody
    mine = __shfl_xor_sync(FULL, mine, 1);
  }

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
