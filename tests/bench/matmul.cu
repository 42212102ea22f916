#define T 16
__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[T][T], b[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
  float s = 0;
  for (int t = 0; t < (K + T - 1) / T; t++) {
    a[ty][tx] = (r < M && t * T + tx < K) ? A[r * K + t * T + tx] : 0.f;
    b[ty][tx] = (c < N && t * T + ty < K) ? B[(t * T + ty) * N + c] : 0.f;
    __syncthreads();
    for (int i = 0; i < T; i++) s += a[ty][i] * b[i][tx];
    __syncthreads();
  }
  if (r < M && c < N) C[r * N + c] = s;
}
