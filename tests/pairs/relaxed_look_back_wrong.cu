// expect: WRONG
// run: --grid 6 --block 32 --arg buf:i32:192:ones --arg buf:i32:192 --arg buf:i32:1:zero --arg buf:i32:6:zero --arg buf:i32:6:zero --expect 1=1..192
// A chained scan in which every access to what the blocks share is relaxed: no race without the
// fences, but a sum may be read before it is there. Only the values tell.
__device__ int load(const int *p) { int v; asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ void store(int *p, int v) { asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__global__ void scan(const int *in, int *out, int *ticket, int *flag, int *prefix) {
  __shared__ int tile, before;
  int lane = threadIdx.x;
  if (lane == 0) tile = atomicAdd(ticket, 1);
  __syncwarp();
  int v = in[tile * 32 + lane];
  for (int d = 1; d < 32; d *= 2) {
    int up = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += up;
  }
  if (lane == 31) {
    int sum = 0;
    if (tile > 0) {
      while (load(&flag[tile - 1]) == 0) {}
      __threadfence();
      sum = load(&prefix[tile - 1]);
    }
    store(&prefix[tile], sum + v);
    store(&flag[tile], 1);
    before = sum;
  }
  __syncwarp();
  out[tile * 32 + lane] = before + v;
}
