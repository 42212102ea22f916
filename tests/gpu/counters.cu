// Kernels whose memory traffic is known by construction, to compare the machine's counters with a
// GPU's (docs/gpu.md). All take (int *data, int *out, int n), n a power of two, one thread each.
#define ME int i = blockIdx.x * blockDim.x + threadIdx.x
#define K extern "C" __global__ void

K load_coalesced(const int *data, int *out, int n) { ME; out[i] = data[i] + 1; }
K load_stride2(const int *data, int *out, int n) { ME; out[i] = data[i * 2 & (n - 1)]; }
K load_stride8(const int *data, int *out, int n) { ME; out[i] = data[i * 8 & (n - 1)]; }
K load_stride32(const int *data, int *out, int n) { ME; out[i] = data[i * 32 & (n - 1)]; }
K load_shifted(const int *data, int *out, int n) { ME; out[i] = data[i + 1 & (n - 1)]; }
K load_same(const int *data, int *out, int n) { ME; out[i] = data[i / 32 & (n - 1)]; }
K load_random(const int *data, int *out, int n) {
  ME;
  unsigned x = i * 2654435761u;
  x ^= x >> 15;
  out[i] = data[x & (n - 1)];
}
K load_half_warp(const int *data, int *out, int n) {
  ME;
  if (threadIdx.x & 16) out[i] = data[i];
}
K load_vec4(const int4 *data, int *out, int n) {
  ME;
  int4 v = data[i & (n / 4 - 1)];
  out[i] = v.x + v.y + v.z + v.w;
}
K load_bytes(const unsigned char *data, int *out, int n) { ME; out[i] = data[i]; }
K load_double(const double *data, int *out, int n) { ME; out[i] = (int)data[i & (n / 2 - 1)]; }
K store_stride2(const int *data, int *out, int n) { ME; out[i * 2 & (n - 1)] = i; }
K store_stride32(const int *data, int *out, int n) { ME; out[(i * 32 + i / 256) & (n - 1)] = i; }

#define SHARED(name, index)                                                                       \
  K name(const int *data, int *out, int n) {                                                      \
    __shared__ volatile int tile[32 * 256];                                                       \
    int t = threadIdx.x;                                                                          \
    tile[index] = t;                                                                              \
    __syncthreads();                                                                              \
    out[blockIdx.x * blockDim.x + t] = tile[index];                                               \
  }
SHARED(shared_free, t)
SHARED(shared_2way, t * 2)
SHARED(shared_8way, t * 8)
SHARED(shared_32way, t * 32)
SHARED(shared_padded, (t % 32) * 33 + t / 32)
K shared_broadcast(const int *data, int *out, int n) {
  __shared__ volatile int tile[256];
  int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = tile[t & ~31];
}
K shared_double(const int *data, int *out, int n) {
  __shared__ volatile double tile[256];
  int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = (int)tile[t];
}
K shared_vec4(const int *data, int *out, int n) {
  __shared__ int4 tile[256];
  int t = threadIdx.x;
  tile[t] = make_int4(t, data[t], t, t);
  __syncthreads();
  int4 v = tile[t ^ 1];
  out[blockIdx.x * blockDim.x + t] = v.x + v.y + v.z + v.w;
}

K atomic_one(const int *data, int *out, int n) { ME; out[1 + (atomicAdd(out, 3 + i) & 1)] = 0; }
K exch_one(const int *data, int *out, int n) { ME; out[1 + (atomicExch(out, i) & 1)] = 0; }
K exch_4(const int *data, int *out, int n) { ME; out[8 + (atomicExch(out + i % 4, i) & 1)] = 0; }
K exch_16(const int *data, int *out, int n) { ME; out[32 + (atomicExch(out + i % 16, i) & 1)] = 0; }
K atomic_many(const int *data, int *out, int n) { ME; out[i ^ 1] = atomicAdd(out + i, i); }
K atomic_8(const int *data, int *out, int n) { ME; out[8 + (atomicMax(out + i % 8, i) & 1)] = 0; }
K red_one(const int *data, int *out, int n) { ME; atomicMax(out, data[i]); }
K red_many(const int *data, int *out, int n) { ME; atomicAdd(out + i, data[i]); }
K red_stride32(const int *data, int *out, int n) { ME; atomicAdd(out + (i * 32 & (n - 1)), i); }
K red_aggregated(const int *data, int *out, int n) {
  ME;
  int sum = __reduce_add_sync(~0u, data[i]);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
K atomic_shared_one(const int *data, int *out, int n) {
  __shared__ int sum;
  int t = threadIdx.x;
  if (t == 0) sum = 0;
  __syncthreads();
  int old = atomicExch(&sum, t);
  out[blockIdx.x * blockDim.x + t] = old;
}
K diverge_half(const int *data, int *out, int n) {
  ME;
  float x = i;
  if (threadIdx.x & 1)
    for (int k = 0; k < 64; k++) x = x * 1.5f + sqrtf(x);
  out[i] = (int)x;
}
K diverge_ramp(const int *data, int *out, int n) {
  ME;
  float x = i;
  for (int k = 0; k < (threadIdx.x % 32) * 4; k++) x = x * 1.5f + sqrtf(x);
  out[i] = (int)x;
}
