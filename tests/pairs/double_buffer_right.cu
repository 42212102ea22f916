// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64:iota --arg i32:5
// two buffers and one barrier a step
__global__ void k(int *data, int steps) {
  __shared__ int row[2][66];
  int t = threadIdx.x, now = 0;
  row[0][t + 1] = data[t];
  if (t < 2) row[0][t * 65] = row[1][t * 65] = 0;
  __syncthreads();
  for (int s = 0; s < steps; s++) {
    row[1 - now][t + 1] = row[now][t] + row[now][t + 2];
    now = 1 - now;
    __syncthreads();
  }
  data[t] = row[now][t + 1];
}
