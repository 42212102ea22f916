// expect: RACE line 15
// run: --kernel row_softmax --grid 1 --block 128 --arg buf:f32:300:rand --arg buf:f32:300 --arg i32:300
// softmax of a row by one block, as it was sent to us: "one wrong row in ten thousand"
__global__ void row_softmax(const float *in, float *out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  float most = -1e30f, sum = 0;
  for (int i = t; i < n; i += blockDim.x) most = fmaxf(most, in[i]);
  s[t] = most;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  most = s[0];
  for (int i = t; i < n; i += blockDim.x) sum += expf(in[i] - most);
  s[t] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  for (int i = t; i < n; i += blockDim.x) out[i] = expf(in[i] - most) / s[0];
}
