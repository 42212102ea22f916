// expect: UNINIT line 8
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:zero
// best is set by one lane and tested by all
__global__ void k(int *out) {
  int best;
  int t = threadIdx.x;
  if (t == 9) best = t;
  if (best > 3) out[t] = 1;
}
