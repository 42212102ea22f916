// expect: RACE line 18
// run: --grid 1 --block 64 --arg buf:i32:64:ones --arg buf:u8:64:=1,0*6,1,0*13,1,0*20,1 --arg buf:i32:64
// Segmented inclusive scan (Hillis-Steele over pairs of flag and value), head flags are bytes.
__global__ void segScan(const int *in, const unsigned char *heads, int *out) {
  __shared__ int val[2][64];
  __shared__ unsigned char flag[2][64];
  int t = threadIdx.x, cur = 0;
  val[0][t] = in[t];
  flag[0][t] = heads[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int v = val[cur][t];
    unsigned char f = flag[cur][t];
    if (t >= d) {
      if (!f) v += val[cur][t - d];
      f |= flag[cur][t - d];
    }
    val[cur][t] = v;
    flag[cur][t] = f;
    __syncthreads();
  }
  out[t] = val[cur][t];
}
