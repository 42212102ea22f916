// The twin of matmul.cu in OpenCL C.
#define T 16
__kernel void matmul(__global const float *A, __global const float *B, __global float *C, int M, int N, int K) {
  __local float a[T][T], b[T][T];
  int tx = get_local_id(0), ty = get_local_id(1), r = get_group_id(1) * T + ty, c = get_group_id(0) * T + tx;
  float s = 0;
  for (int t = 0; t < (K + T - 1) / T; t++) {
    a[ty][tx] = (r < M && t * T + tx < K) ? A[r * K + t * T + tx] : 0.f;
    b[ty][tx] = (c < N && t * T + ty < K) ? B[(t * T + ty) * N + c] : 0.f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < T; i++) s += a[ty][i] * b[i][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (r < M && c < N) C[r * N + c] = s;
}
