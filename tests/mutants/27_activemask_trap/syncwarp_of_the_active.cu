// expect: RACE
// Why: the lanes write their answers into shared memory, and those who happen to be here wait for
// each other. Who is late writes after the leader has read.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void count_hits(const int *in, int *crowd, int *total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool hit = i < n && in[i] > limit;
  __shared__ int yes[256];
  int together = 0;
  yes[threadIdx.x] = hit;
  __syncwarp(__activemask());

  if (hit) {
    unsigned hits = 0;
    for (int k = 0; k < 32; k++) hits |= (unsigned)yes[threadIdx.x - lane + k] << k;
    together = __popc(hits);
    int leader = __ffs(hits) - 1;
    if (lane == leader) atomicAdd(total, together);
  }

  if (i < n) crowd[i] = together;
}
