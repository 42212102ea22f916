__global__ void single(float *x) {
  if (threadIdx.x) return;
  float s = 0;
  for (int i = 0; i < 16384; i++) s = s * 0.5f + x[(i * 7 + blockIdx.x) & 4095];
  if (s == 123.f) x[0] = s;
}
