// expect: RACE line 26
// run: --grid 3,3 --block 8,8 --arg buf:f32:360:ones --arg buf:f32:432:iota --arg buf:f32:480 --arg i32:20 --arg i32:24 --arg i32:18
// Tiled GEMM, two buffers in shared memory, the next tile fetched into registers meanwhile.
#define T 8
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                     int M, int N, int K) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int tiles = (K + T - 1) / T;
  float acc = 0.f;
  As[0][ty][tx] = row < M && tx < K ? A[row * K + tx] : 0.f;
  Bs[0][ty][tx] = ty < K && col < N ? B[ty * N + col] : 0.f;
  __syncthreads();
  int buf = 0;
  for (int t = 0; t < tiles; ++t) {
    float a = 0.f, b = 0.f;
    const int k0 = (t + 1) * T;
    if (t + 1 < tiles) {
      if (row < M && k0 + tx < K) a = A[row * K + k0 + tx];
      if (k0 + ty < K && col < N) b = B[(k0 + ty) * N + col];
    }
#pragma unroll
    for (int k = 0; k < T; ++k) acc += As[buf][ty][k] * Bs[buf][k][tx];
    if (t + 1 < tiles) {
      As[buf][ty][tx] = a;
      Bs[buf][ty][tx] = b;
      __syncthreads();
    }
  }
  if (row < M && col < N) C[row * N + col] = acc;
}
