// expect: PASS
// run: --grid 1 --block 128 --arg buf:u32:128:=127..64,0..63 --arg buf:u32:128 --arg i32:7 --expect 1=0..127
// LSD radix sort of one block, a bit each round; ranks by ballot and popc.
__global__ void radix(const unsigned *in, unsigned *out, int bits) {
  __shared__ unsigned keys[128];
  __shared__ int zeros[4];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  keys[t] = in[t];
  for (int b = 0; b < bits; b++) {
    unsigned key = keys[t];
    int bit = (key >> b) & 1;
    unsigned z = __ballot_sync(~0u, !bit);
    if (lane == 0) zeros[warp] = __popc(z);
    __syncthreads();
    int before = 0, total = 0;
    for (int w = 0; w < 4; w++) {
      if (w < warp) before += zeros[w];
      total += zeros[w];
    }
    int zrank = before + __popc(z & ((1u << lane) - 1));
    int dst = bit ? total + t - zrank : zrank;
    keys[dst] = key;
    __syncthreads();
  }
  out[t] = keys[t];
}
