// expect: PASS
// run: --kernel sum --grid 1 --block 32 --arg buf:i32:32:ones --arg buf:i32:1 --arg buf:i32:1 --arg buf:u32:1:zero
// advice: 24
// dump 2: 32
// dump 3: 0
// run: --kernel sum --grid 7 --block 64 --arg buf:i32:448:ones --arg buf:i32:7 --arg buf:i32:1 --arg buf:u32:1:zero
// dump 2: 448
// dump 3: 0
// run: --kernel sum --grid 40 --block 32 --arg buf:i32:1280:ones --arg buf:i32:40 --arg buf:i32:1 --arg buf:u32:1:zero
// dump 2: 1280
// The last block to finish adds up what all have left. Fence, count, fence: each count releases a
// part, and whoever counts last has observed all of them, so that even the plain reset of the
// counter is ordered (PTX ISA 8.8, 8.9.5).
__device__ int block_sum(int v) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  int sum = s[0];
  __syncthreads();
  return sum;
}

__global__ void sum(const int *in, int *part, int *out, unsigned *count) {
  __shared__ bool last;
  int t = threadIdx.x, mine = block_sum(in[blockIdx.x * blockDim.x + t]);
  if (t == 0) {
    part[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(count, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  int v = 0;
  for (int i = t; i < (int)gridDim.x; i += blockDim.x) v += part[i];
  v = block_sum(v);
  if (t == 0) {
    *out = v;
    *count = 0;
  }
}
