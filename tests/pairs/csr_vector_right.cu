// expect: PASS
// run: --grid 2 --block 128 --arg buf:i32:21:=0,0,1,3,6,10,15,21,28,36,45,55,66,78,91,105,120,136,153,171,190 --arg buf:i32:190:rand --arg buf:f32:190:ones --arg buf:f32:100:=2*100 --arg buf:f32:20 --arg i32:20 --expect 4=0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38
// y = A x, CSR, one warp for each row; __ldg for x.
__global__ void spmv(const int *__restrict__ ptr, const int *__restrict__ col, const float *__restrict__ val,
                     const float *__restrict__ x, float *__restrict__ y, int rows) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int r = warp; r < rows; r += warps) {
    float sum = 0;
    for (int j = ptr[r] + lane; j < ptr[r + 1]; j += 32) sum += val[j] * __ldg(&x[col[j]]);
    for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffff, sum, o);
    if (lane == 0) y[r] = sum;
  }
}
