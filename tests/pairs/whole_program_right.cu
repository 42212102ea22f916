// expect: PASS
// run: --grid 2 --block 128 --arg buf:f32:256:iota --arg buf:f32:2 --arg i32:256
// a program as it comes, with its main(): only what the device runs is compiled
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <iostream>
#include <vector>
#include "helper_cuda.h"
using namespace std;
#define HD __host__ __device__
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) die(e, __LINE__); } while (0)
inline void die(cudaError_t e, int line) { fprintf(stderr, "%d: %s\n", line, cudaGetErrorString(e)); exit(1); }

constexpr int blocks(int n, int b) { return (n + b - 1) / b; }
static vector<float> expected;
struct Clock {
  std::chrono::steady_clock::time_point from;
  Clock() : from{std::chrono::steady_clock::now()} {}
};
template <class T> struct Add {
  HD T operator()(T a, T b) const { return a + b; }
};

template <class T, int B, class Op = Add<T>> __global__ void sum(const T *in, T *out, int n) {
  __shared__ T s[blocks(B * 4, 4)];
  int t = threadIdx.x, i = blockIdx.x * B + t;
  s[t] = i < n ? in[i] : T(0);
  __syncthreads();
  for (int d = B / 2; d; d /= 2) {
    if (t < d) s[t] = Op()(s[t], s[t + d]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  const int THREADS = 128;
  vector<float> in(1000, 1.f);
  float *a, *b;
  CHECK(cudaMalloc(&a, in.size() * sizeof(float)));
  CHECK(cudaMalloc(&b, 64));
  sum<float, THREADS><<<blocks(1000, THREADS), THREADS>>>(a, b, 1000);
  CHECK(cudaDeviceSynchronize());
  cout << "}" << R"({ not a brace)" << '{' << endl;
}
