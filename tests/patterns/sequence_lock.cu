// expect: PASS
// run: --kernel run --grid 2 --block 1 --arg buf:u32:1:zero --arg buf:u32:2:zero --arg i32:60 --arg buf:i32:1:zero
// dump 1: 60*2
// dump 3: 0
// run: --kernel run --grid 5 --block 32 --arg buf:u32:1:zero --arg buf:u32:2:zero --arg i32:20 --arg buf:i32:1:zero
// dump 1: 20*2
// dump 3: 0
// run: --kernel run --grid 16 --block 2 --arg buf:u32:1:zero --arg buf:u32:2:zero --arg i32:30 --arg buf:i32:1:zero
// dump 1: 30*2
// dump 3: 0
// One writer, readers that never hold it up: they look again if the sequence number was odd or has
// changed meanwhile. The data is read while it may be written, on purpose, so it must be strong:
// relaxed on both sides. Fences keep the data between the two looks at the number.
__device__ unsigned load_relaxed(const unsigned *p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_relaxed(unsigned *p, unsigned v) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ void write_pair(unsigned *seq, unsigned *pair, unsigned v) {
  store_relaxed(seq, 2 * v - 1);
  __threadfence();
  store_relaxed(&pair[0], v);
  store_relaxed(&pair[1], v);
  __threadfence();
  store_relaxed(seq, 2 * v);
}
__device__ bool read_pair(const unsigned *seq, const unsigned *pair, unsigned *a, unsigned *b) {
  unsigned s = load_relaxed(seq);
  __threadfence();
  *a = load_relaxed(&pair[0]);
  *b = load_relaxed(&pair[1]);
  __threadfence();
  return s % 2 == 0 && load_relaxed(seq) == s;
}

__global__ void run(unsigned *seq, unsigned *pair, int rounds, int *torn) {
  if (blockIdx.x == 0) {
    for (int v = 1; threadIdx.x == 0 && v <= rounds; v++) write_pair(seq, pair, v);
    return;
  }
  unsigned a = 0, b = 0;
  while (a != (unsigned)rounds) {
    if (!read_pair(seq, pair, &a, &b)) a = 0;
    else if (a != b) atomicAdd(torn, 1);
  }
}
