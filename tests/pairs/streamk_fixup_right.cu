// expect: PASS
// run: --grid 4 --block 32 --arg buf:f32:384:ones --arg buf:f32:3:zero --arg buf:f32:4 --arg buf:i32:4:zero --arg i32:96 --expect 1=128*3
// Stream-K: work of 3 tiles of 128 is cut into 4 equal parts; who did not start a tile hands over its
// part through a workspace and a flag, who did adds it.
__device__ float blockSum(float v) { for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o); return v; }
__global__ void streamK(const float *in, float *out, float *partial, int *flag, int share) {
  int from = blockIdx.x * share, to = from + share;
  while (from < to) {
    int tile = from / 128, end = min(to, (tile + 1) * 128);
    float v = 0;
    for (int i = from + threadIdx.x; i < end; i += 32) v += in[i];
    v = blockSum(v);
    if (threadIdx.x == 0) {
      if (from % 128) {
        partial[blockIdx.x] = v;
        __threadfence();
        atomicExch(&flag[blockIdx.x], 1);
      } else {
        for (int covered = end, b = blockIdx.x + 1; covered < (tile + 1) * 128; b++) {
          while (atomicAdd(&flag[b], 0) == 0) {}
          __threadfence();
          v += partial[b];
          covered = (b + 1) * share;
        }
        out[tile] = v;
      }
    }
    from = end;
  }
}
