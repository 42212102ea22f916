// expect: DEADLOCK line 20
// 26_full_mask_trap - a shuffle waits for everyone that its mask names.
//
// in[i] is a reading, or GAP where the sensor failed. Neighbours 0 and 1, 2 and 3, 4 and 5, ...
// watch the same room: a thread with a gap takes over the reading of its partner, the lane whose
// number differs in the last bit. Where both failed the gap stays. gaps[b] counts those left in
// block b.
//
// Your task: the lanes without a gap never come to the shuffle, although its mask names them.
// Repair it. About 2 lines.
#define FULL 0xffffffffu // all 32 lanes take part
#define GAP (-1)

__global__ void fill_gaps(const int *in, int *out, int *gaps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = GAP;
  if (i < n) mine = in[i];

  // TODO (about 2 lines): who asks is here, but who is asked is not
  if (mine == GAP) mine = __shfl_xor_sync(FULL, mine, 1);

  if (i < n) out[i] = mine;
  int left = __syncthreads_count(i < n && mine == GAP);
  if (threadIdx.x == 0) gaps[blockIdx.x] = left;
}
