// hoisting.cu - static against queue, with the sine and cosine in the loop and before it. 2^20 items, item i has
// i % 256 trips. The article changes both things at once; here each of them alone.
#include "claims.h"

enum Price {
  IN_LOOP,  // as the article's static kernel has it; the compiler may do what it likes
  BEFORE,   // as its queue has it
  RELOADED, // in the loop, from a volatile load: the compiler cannot move it
};

template <Price P> __device__ float item(const float *in, int i) {
  int trips = i % 256;
  float sum = 0, x = in[i];
  if (P == BEFORE) {
    float once = sinf(x) * cosf(x);
#pragma unroll 1
    for (int k = 0; k < trips; k++) sum += once;
  } else {
    for (int k = 0; k < trips; k++) {
      float y = P == RELOADED ? static_cast<const volatile float *>(in)[i] : in[i];
      sum += sinf(y) * cosf(y);
    }
  }
  return sum;
}

template <Price P> __global__ void fixed(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = item<P>(in, i);
}

// A warp draws 32 items; the whole warp leaves together.
template <Price P> __global__ void queue(const float *in, float *out, int n, int *next) {
  int lane = threadIdx.x % 32;
  for (;;) {
    int first = 0;
    if (lane == 0) first = atomicAdd(next, 32);
    first = __shfl_sync(FULL, first, 0);
    if (first >= n) return;
    if (first + lane < n) out[first + lane] = item<P>(in, first + lane);
  }
}

static const int n = 1 << 20, threads = 256;
static const float *in;
static float *out;
static int *next_item;

template <Price P> static void report(const char *words, const cudaDeviceProp &gpu) {
  int per_sm = 0;
  must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, queue<P>, threads, 0), "occupancy");
  float s = median_ms([] {}, [] { fixed<P><<<(n + threads - 1) / threads, threads>>>(in, out, n); });
  int resident = per_sm * gpu.multiProcessorCount;
  float q = median_ms([] { must(cudaMemset(next_item, 0, sizeof(int)), "cudaMemset"); },
                      [=] { queue<P><<<resident, threads>>>(in, out, n, next_item); });
  printf("  %-34s %8.3f %8.3f\n", words, s, q);
}

int main() {
  cudaDeviceProp gpu = the_gpu();
  in = ramp_input(n);
  out = on_gpu<float>(n);
  next_item = on_gpu<int>(1);
  printf("hoisting: ms, %s\n  %-34s %8s %8s\n", gpu.name, "sine and cosine", "static", "queue");
  report<IN_LOOP>("in the loop, left to the compiler", gpu);
  report<RELOADED>("in the loop, cannot be moved", gpu);
  report<BEFORE>("before the loop", gpu);
}
