// expect: PASS
// run: --grid 1 --block 128 --arg buf:i32:384:iota --arg buf:i32:64 --arg i32:6 --expect 1=1338,1332,1326,1320,1314,1308,1302,1296,1290,1284,1278,1272,1266,1260,1254,1248,1242,1236,1230,1224,1218,1212
// Warps 0 and 1 load, warps 2 and 3 use; two buffers, four named barriers.
__device__ void syncOn(int id) { asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory"); }
__device__ void arriveOn(int id) { asm volatile("bar.arrive %0, 128;" ::"r"(id) : "memory"); }
__global__ void ring(const int *in, int *out, int rounds) {
  __shared__ int buf[2][64];
  int t = threadIdx.x;
  if (t < 64) {
    for (int r = 0; r < rounds; r++) {
      if (r >= 2) syncOn(3 + r % 2);
      buf[r % 2][t] = in[r * 64 + t];
      arriveOn(1 + r % 2);
    }
  } else {
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
      syncOn(1 + r % 2);
      sum += buf[r % 2][127 - t];
      if (r + 2 < rounds) arriveOn(3 + r % 2);
    }
    out[t - 64] = sum;
  }
}
