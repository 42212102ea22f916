// expect: WRONG
// __activemask() reports who is here now, not who rings. Under the usual schedule it names just
// these, but lanes may come one by one, and the last one first.
#define FULL 0xffffffffu

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  if (rings) {
    unsigned hands = __activemask();
    int leader = __ffs(hands) - 1;
    int base = 0;
    if (lane == leader) base = atomicAdd(found, __popc(hands));
    base = __shfl_sync(hands, base, leader);
    where[base + __popc(hands & ((1u << lane) - 1))] = i;
  }
}
