// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:zero
// set on every path
__global__ void k(int *out) {
  int best;
  int t = threadIdx.x;
  if (t == 9) best = t;
  else best = 0;
  if (best > 3) out[t] = 1;
}
