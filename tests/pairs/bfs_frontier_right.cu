// expect: PASS
// run: --grid 2 --block 2 --arg buf:i32:32:=0,2,4,6,8,10,12,14,16*24 --arg buf:i32:16:=1..13,7,1,3 --arg buf:i32:16:=0,1*2,2*4,-1*9 --arg buf:i32:4:=3..6 --arg i32:4 --arg buf:i32:16:zero --arg buf:i32:1:zero --arg i32:3 --expect 2=0,1*2,2*4,3*7,-1*2 --expect 6=7
// One level of breadth-first search: block-local queue, one atomic a block for the place in the next frontier.
__global__ void level(const int *ptr, const int *edge, int *dist, const int *frontier, int nf, int *next, int *count, int d) {
  __shared__ int queue[64];
  __shared__ int size, base;
  if (threadIdx.x == 0) size = 0;
  __syncthreads();
  for (int f = blockIdx.x * blockDim.x + threadIdx.x; f < nf; f += gridDim.x * blockDim.x)
    for (int e = ptr[frontier[f]]; e < ptr[frontier[f] + 1]; e++) {
      int v = edge[e];
      if (atomicCAS(&dist[v], -1, d) == -1) {
        int at = atomicAdd(&size, 1);
        queue[at] = v;
      }
    }
  __syncthreads();
  if (threadIdx.x == 0) base = atomicAdd(count, size);
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += blockDim.x) next[base + i] = queue[i];
}
