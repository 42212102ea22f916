// expect: RACE
// run: --kernel push_all --grid 6 --block 32 --arg buf:i32:192 --arg buf:i32:192 --arg buf:i32:1:=-1 --arg buf:i32:1:zero --arg buf:i32:1
// on: next value
// run: --kernel push_all --grid 3 --block 7 --arg buf:i32:21 --arg buf:i32:21 --arg buf:i32:1:=-1 --arg buf:i32:1:zero --arg buf:i32:1
// on: next value
// run: --kernel push_all --grid 16 --block 256 --schedule random --arg buf:i32:4096 --arg buf:i32:4096 --arg buf:i32:1:=-1 --arg buf:i32:1:zero --arg buf:i32:1
// on: next value
// A node is on the list before anything says that its number and its neighbour are there.
__global__ void push_all(int *next, int *value, int *top, int *pushed, int *sum) {
  int node = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  value[node] = node;
  int seen = atomicAdd(top, 0), below;
  do {
    below = seen;
    next[node] = below;
    seen = atomicCAS(top, below, node);
  } while (seen != below);
  if (atomicAdd(pushed, 1) != n - 1) return;
  int all = 0;
  int at = atomicAdd(top, 0);
  __threadfence();
  for (; at >= 0; at = next[at]) all += value[at];
  *sum = all;
}
