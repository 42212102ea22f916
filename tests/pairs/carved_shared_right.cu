// expect: PASS
// run: --grid 2 --block 64 --shared 1088 --arg buf:f64:128:iota --arg buf:f64:128 --arg i32:64 --expect 1=126,130,127,124,121,118,115,112,116,113,110,107,104,101,98,102,99,96,93,90,87,84,88,85,82,79,76,73,70,74,71,68
// Several arrays carved out of one dynamic shared array.
__global__ void carve(const double *in, double *out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  double *d = (double *)raw;
  int *k = (int *)(d + n);
  short *h = (short *)(k + n);
  unsigned char *c = (unsigned char *)(h + n);
  float *mean = (float *)(raw + 1084);
  int t = threadIdx.x, g = blockIdx.x * n + t;
  d[t] = in[g];
  k[t] = t;
  h[t] = (short)(t % 7);
  c[t] = (unsigned char)t;
  if (t == 0) *mean = 0;
  __syncthreads();
  int o = n - 1 - t;
  out[g] = d[o] + k[o] + h[o] + c[o] - c[o] + *mean;
}
