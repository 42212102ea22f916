// expect: DEADLOCK
// The vote stands in the if, but its mask names all lanes. Those that do not ring wait at the end
// of the kernel for the whole block.
#define FULL 0xffffffffu

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  if (rings) {
    unsigned hands = __ballot_sync(FULL, true);
    int base = 0;
    int leader = __ffs(hands) - 1;
    if (lane == leader) base = atomicAdd(found, __popc(hands));
    base = __shfl_sync(hands, base, leader);
    where[base + __popc(hands & ((1u << lane) - 1))] = i;
  }
  __syncthreads();
}
