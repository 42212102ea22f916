// expect: DEADLOCK
// The match stands in the if, but its mask names all lanes. Those past the end of the data wait at
// the end of the kernel for the whole block.
#define FULL 0xffffffffu

__global__ void book(const int *key, const int *amount, int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;

  if (i < n) {
    unsigned peers = __match_any_sync(FULL, key[i]);
    int sum = __reduce_add_sync(peers, amount[i]);
    if (lane == __ffs(peers) - 1) atomicAdd(&sums[key[i]], sum);
  }
  __syncthreads();
}
