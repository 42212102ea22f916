// expect: RULE
// queue_inside settles its items beforehand and moves the counter in one step.

#define FULL 0xffffffffu // all 32 lanes take part
enum { NEITHER, QUEUE, HOISTING, BOTH };

// sin(x) * cos(x) for small x. The asm line hides from the compiler that x is the same in each trip
// of a loop: it cannot hoist the call by itself. Leave it as it is.
__device__ float price(float x) {
  asm volatile("mov.f32 %0, %0;" : "+f"(x));
  float q = x * x;
  float s = x * (1 + q * (-1.0f / 6 + q * (1.0f / 120 - q / 5040)));
  float c = 1 + q * (-1.0f / 2 + q * (1.0f / 24 - q / 720));
  return s * c;
}

// ---- the article's two: leave them as they are ----
__global__ void static_inside(const float *input, float *output, int n, int period) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x = input[i], sum = 0;
    for (int trip = 0; trip < i % period; trip++) sum += price(x);
    output[i] = sum;
  }
}

__global__ void queue_outside(const float *input, float *output, int n, int period, int *next) {
  int lane = threadIdx.x % 32;
  while (true) {
    int first = 0;
    if (lane == 0) first = atomicAdd(next, 32);
    first = __shfl_sync(FULL, first, 0);
    if (first >= n) break;
    int i = first + lane;
    if (i < n) {
      float once = price(input[i]), sum = 0;
      for (int trip = 0; trip < i % period; trip++) sum += once;
      output[i] = sum;
    }
  }
}

// ---- yours ----
__global__ void static_outside(const float *input, float *output, int n, int period) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x = price(input[i]), sum = 0;
    for (int trip = 0; trip < i % period; trip++) sum += x;
    output[i] = sum;
  }
}

__global__ void queue_inside(const float *input, float *output, int n, int period, int *next) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float x = input[i], sum = 0;
    for (int trip = 0; trip < i % period; trip++) sum += price(x);
    output[i] = sum;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(next, n);
}

__global__ void conclusion(int *answer) { *answer = HOISTING; }
