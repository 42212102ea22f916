__global__ void histogram(const float *in, unsigned *out) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < 64 * 1024; i += 64 * 256) atomicAdd(&s[(int)in[i] & 255], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], s[threadIdx.x]);
}
