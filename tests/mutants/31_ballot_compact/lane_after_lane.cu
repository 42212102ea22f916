// expect: RULE
// Right values: the lanes of a warp draw one after the other, in order. But each draws for itself,
// and waits for all before it.
#define FULL 0xffffffffu

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  for (int turn = 0; turn < 32; turn++) {
    if (lane == turn && rings) where[atomicAdd(found, 1)] = i;
    __syncwarp();
  }
}
