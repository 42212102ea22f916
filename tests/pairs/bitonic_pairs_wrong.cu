// expect: RACE line 26
// run: --grid 1 --block 128 --arg buf:i32:256:=255..128,0..127 --arg buf:i32:256:iota
// Bitonic sort of 256 keys with values by 128 threads.
template <typename T> __device__ inline void swap(T &a, T &b) { T c = a; a = b; b = c; }
__device__ inline void comparator(int &ka, int &va, int &kb, int &vb, bool up) {
  if ((ka > kb) == up) { swap(ka, kb); swap(va, vb); }
}
__global__ void bitonicSort(int *keys, int *vals) {
  __shared__ int k[256], v[256];
  const int t = threadIdx.x, N = 256;
  k[t] = keys[t]; v[t] = vals[t];
  k[t + 128] = keys[t + 128]; v[t + 128] = vals[t + 128];
  for (int size = 2; size < N; size <<= 1) {
    bool dir = (t & (size / 2)) != 0;
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      int pos = 2 * t - (t & (stride - 1));
      comparator(k[pos], v[pos], k[pos + stride], v[pos + stride], !dir);
    }
  }
  for (int stride = N / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    int pos = 2 * t - (t & (stride - 1));
    comparator(k[pos], v[pos], k[pos + stride], v[pos + stride], true);
  }
  keys[t] = k[t]; vals[t] = v[t];
  keys[t + 128] = k[t + 128]; vals[t + 128] = v[t + 128];
}
