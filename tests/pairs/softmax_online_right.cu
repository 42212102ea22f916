// expect: PASS
// run: --grid 2 --block 96 --arg buf:f32:200:=3*50,2*50,1*100 --arg buf:f32:200 --arg i32:100 --expect 1=0.0146212*50,0.00537883*50,0.01*100 --tolerance 1e-3
// Online softmax of a row by a block: maximum and sum travel together.
struct __align__(8) MD { float m, d; };
__device__ MD join(MD a, MD b) {
  bool big = a.m > b.m;
  MD hi = big ? a : b, lo = big ? b : a;
  MD r;
  r.d = hi.d + lo.d * __expf(lo.m - hi.m);
  r.m = hi.m;
  return r;
}
__device__ MD warpJoin(MD v) {
  for (int o = 16; o > 0; o >>= 1) {
    MD w;
    w.m = __shfl_xor_sync(0xffffffff, v.m, o);
    w.d = __shfl_xor_sync(0xffffffff, v.d, o);
    v = join(v, w);
  }
  return v;
}
__global__ void softmax(const float *x, float *y, int cols) {
  __shared__ MD part[32];
  const float *row = x + blockIdx.x * cols;
  MD v = {-1e30f, 0.f};
  for (int c = threadIdx.x; c < cols; c += blockDim.x) v = join(v, MD{row[c], 1.f});
  v = warpJoin(v);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : MD{-1e30f, 0.f};
    v = warpJoin(v);
    if (threadIdx.x == 0) part[0] = v;
  }
  __syncthreads();
  v = part[0];
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = __expf(row[c] - v.m) / v.d;
}
