// expect: RACE
// run: --kernel scan --grid 2 --block 32 --arg buf:i32:64:ones --arg buf:i32:64 --arg buf:u64:2:zero --arg buf:u32:1:zero
// on: tiles
// run: --kernel scan --grid 5 --block 64 --arg buf:i32:320:ones --arg buf:i32:320 --arg buf:u64:5:zero --arg buf:u32:1:zero
// on: tiles
// State and sum in two words: now the sum needs a release and an acquire of its own, and has none.
enum { NOTHING, OWN, ALL };
struct tile_state {
  unsigned state;
  int sum;
};

__device__ unsigned load(const unsigned *p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store(tile_state *p, unsigned state, int sum) {
  p->sum = sum;
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(&p->state), "r"(state) : "memory");
}
__device__ int before(const tile_state *tiles, int tile) {
  int sum = 0;
  for (int p = tile - 1; p >= 0; p--) {
    unsigned state;
    while ((state = load(&tiles[p].state)) == NOTHING) {
    }
    sum += tiles[p].sum;
    if (state == ALL) break;
  }
  return sum;
}

__global__ void scan(const int *in, int *out, tile_state *tiles, unsigned *ticket) {
  __shared__ int s[64], tile, base;
  int t = threadIdx.x, n = blockDim.x;
  if (t == 0) tile = (int)atomicAdd(ticket, 1u);
  __syncthreads();
  int own = in[tile * n + t];
  for (int d = 1; d < n; d *= 2) {
    s[t] = own;
    __syncthreads();
    if (t >= d) own += s[t - d];
    __syncthreads();
  }
  if (t == n - 1) {
    store(&tiles[tile], OWN, own);
    base = before(tiles, tile);
    store(&tiles[tile], ALL, base + own);
  }
  __syncthreads();
  out[tile * n + t] = base + own;
}
