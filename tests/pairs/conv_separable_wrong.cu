// expect: RACE line 17
// run: --grid 3 --block 64 --arg buf:f32:150:ones --arg buf:f32:150 --arg i32:150
// 1-D convolution with halo in dynamic shared memory, coefficients in constant memory.
#define RADIUS 2
__constant__ float coeff[2 * RADIUS + 1] = {1, 2, 3, 4, 5};
template <int R> __global__ void convolve(const float *in, float *out, int n) {
  __shared__ float tile[64 + 2 * R];
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int l = threadIdx.x + R;
  tile[l] = g < n ? in[g] : 0.f;
  if (threadIdx.x < R) {
    tile[l - R] = g >= R ? in[g - R] : 0.f;
    tile[l + blockDim.x] = g + blockDim.x < n ? in[g + blockDim.x] : 0.f;
  }
  float sum = 0;
#pragma unroll
  for (int k = -R; k <= R; k++) sum += tile[l + k] * coeff[k + R];
  if (g < n) out[g] = sum;
}
template __global__ void convolve<RADIUS>(const float *, float *, int);
