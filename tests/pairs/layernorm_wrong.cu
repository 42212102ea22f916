// expect: RACE line 6
// run: --grid 3 --block 64 --arg buf:f32:210:=1*35,3*35,5*70,2*35,0*35 --arg buf:f32:70:=2*70 --arg buf:f32:70:=1*70 --arg buf:f32:210 --arg i32:70
// Layer normalisation; the same shared scratch serves both sums.
template <int THREADS> __device__ float blockSum(float v, float *scratch) {
  int t = threadIdx.x;
  scratch[t] = v;
  __syncthreads();
#pragma unroll
  for (int s = THREADS / 2; s > 0; s >>= 1) {
    if (t < s) scratch[t] += scratch[t + s];
    __syncthreads();
  }
  float r = scratch[0];
  return r;
}
__global__ void layerNorm(const float *x, const float *gamma, const float *beta, float *y, int cols) {
  __shared__ float scratch[64];
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += 64) s += x[c];
  float mean = blockSum<64>(s, scratch) / cols;
  s = 0;
  for (int c = threadIdx.x; c < cols; c += 64) { float d = x[c] - mean; s += d * d; }
  float rs = rsqrtf(blockSum<64>(s, scratch) / cols + 1e-5f);
  for (int c = threadIdx.x; c < cols; c += 64) y[c] = (x[c] - mean) * rs * gamma[c] + beta[c];
}
