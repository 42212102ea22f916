// expect: RACE line 22
// run: --grid 2 --block 16 --arg buf:f32:256:rand --arg buf:f32:256:rand --arg buf:f32:256:ones --arg buf:f32:256 --arg i32:32
// Attention in tiles of 16 keys: running maximum, sum and output in registers.
#define BR 16
#define BC 16
#define HD 8
#include <math.h>
__global__ void attention(const float *Q, const float *K, const float *V, float *O, int n) {
  __shared__ float Ks[BC][HD], Vs[BC][HD];
  int row = blockIdx.x * BR + threadIdx.x;
  float q[HD], o[HD] = {}, m = -INFINITY, l = 0.f;
  for (int d = 0; d < HD; d++) q[d] = Q[row * HD + d];
  for (int j = 0; j < n; j += BC) {
    for (int d = 0; d < HD; d++) {
      Ks[threadIdx.x][d] = K[(j + threadIdx.x) * HD + d];
      Vs[threadIdx.x][d] = V[(j + threadIdx.x) * HD + d];
    }
    __syncthreads();
    float s[BC], tile_m = -INFINITY;
    for (int c = 0; c < BC; c++) {
      s[c] = 0;
      for (int d = 0; d < HD; d++) s[c] += q[d] * Ks[c][d];
      tile_m = fmaxf(tile_m, s[c]);
    }
    float m_new = fmaxf(m, tile_m), scale = __expf(m - m_new), sum = 0;
    for (int d = 0; d < HD; d++) o[d] *= scale;
    for (int c = 0; c < BC; c++) {
      float p = __expf(s[c] - m_new);
      sum += p;
      for (int d = 0; d < HD; d++) o[d] += p * Vs[c][d];
    }
    l = l * scale + sum;
    m = m_new;
  }
  for (int d = 0; d < HD; d++) O[row * HD + d] = o[d] / l;
}
