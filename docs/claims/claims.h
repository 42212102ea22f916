// claims.h - what the measuring programs share: errors end the program, a time is the median of 7
// launches after one that warms up, measured with events on the GPU. Exit status 77: nothing to
// measure on (no GPU).
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

constexpr int ROUNDS = 7;
constexpr unsigned FULL = 0xffffffffu;

inline void must(cudaError_t e, const char *what) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  exit(1);
}

inline cudaDeviceProp the_gpu() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    printf("SKIP  no GPU here\n");
    exit(77);
  }
  cudaDeviceProp p;
  must(cudaGetDeviceProperties(&p, 0), "cudaGetDeviceProperties");
  return p;
}

template <class T> T *on_gpu(size_t n) {
  T *p = nullptr;
  must(cudaMalloc(&p, n * sizeof(T)), "cudaMalloc");
  must(cudaMemset(p, 0, n * sizeof(T)), "cudaMemset");
  return p;
}

template <class T> std::vector<T> from_gpu(const T *p, size_t n) {
  std::vector<T> v(n);
  must(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return v;
}

inline float *ramp_input(int n) { // i / n
  std::vector<float> v(n);
  for (int i = 0; i < n; i++) v[i] = float(i) / float(n);
  float *p = on_gpu<float>(n);
  must(cudaMemcpy(p, v.data(), n * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  return p;
}

// Milliseconds. `before` is not in the time: it resets counters.
template <class Before, class Launch> float median_ms(Before before, Launch launch) {
  cudaEvent_t start, end;
  must(cudaEventCreate(&start), "cudaEventCreate");
  must(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> ms;
  for (int round = 0; round <= ROUNDS; round++) {
    float t = 0;
    before();
    must(cudaDeviceSynchronize(), "before a launch");
    must(cudaEventRecord(start), "cudaEventRecord");
    launch();
    must(cudaEventRecord(end), "cudaEventRecord");
    must(cudaGetLastError(), "launch");
    must(cudaEventSynchronize(end), "kernel");
    must(cudaEventElapsedTime(&t, start, end), "cudaEventElapsedTime");
    if (round) ms.push_back(t);
  }
  std::sort(ms.begin(), ms.end());
  must(cudaEventDestroy(start), "cudaEventDestroy");
  must(cudaEventDestroy(end), "cudaEventDestroy");
  return ms[ROUNDS / 2];
}
