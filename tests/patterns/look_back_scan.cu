// expect: PASS
// run: --kernel scan --grid 1 --block 32 --arg buf:i32:32:ones --arg buf:i32:32 --arg buf:u64:1:zero --arg buf:u32:1:zero
// dump 1: 1..32
// run: --kernel scan --grid 5 --block 64 --arg buf:i32:320:ones --arg buf:i32:320 --arg buf:u64:5:zero --arg buf:u32:1:zero
// dump 1: 1..320
// run: --kernel scan --grid 20 --block 32 --sms 1 --arg buf:i32:640:ones --arg buf:i32:640 --arg buf:u64:20:zero --arg buf:u32:1:zero
// dump 1: 1..640
// An inclusive scan in one pass. Each tile says what it knows in one 8-byte word: a state and a
// sum, written and read at once, so the flag is the data and no fence is needed (PTX ISA 8.10.3).
// Tiles are handed out by a ticket: whoever is waited for is already running.
enum { NOTHING, OWN, ALL };
typedef unsigned long long word;

__device__ word load(const word *p) {
  word v;
  asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store(word *p, unsigned state, int sum) {
  word v = (word)state << 32 | (unsigned)sum;
  asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}
__device__ int before(const word *tiles, int tile) {
  int sum = 0;
  for (int p = tile - 1; p >= 0; p--) {
    word w;
    while ((w = load(&tiles[p])) >> 32 == NOTHING) {
    }
    sum += (int)(unsigned)w;
    if (w >> 32 == ALL) break;
  }
  return sum;
}

__global__ void scan(const int *in, int *out, word *tiles, unsigned *ticket) {
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
