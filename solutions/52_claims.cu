// 52_claims - a reference answer.
//
// Each kernel differs from its neighbours in one thing: static and queue in who does an item, inside
// and outside in where the price is worked out. Only so do the times say what did what. From
// static to queue they hardly change: every block of the static kernels has the same work in all, and
// whenever one ends the next takes its place, which is a queue already. From inside to outside they
// fall to a fraction.
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

// static_inside with the price before the loop: no queue.
__global__ void static_outside(const float *input, float *output, int n, int period) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float once = price(input[i]), sum = 0;
    for (int trip = 0; trip < i % period; trip++) sum += once;
    output[i] = sum;
  }
}

// queue_outside with the price back in the loop: no hoisting.
__global__ void queue_inside(const float *input, float *output, int n, int period, int *next) {
  int lane = threadIdx.x % 32;
  while (true) {
    int first = 0;
    if (lane == 0) first = atomicAdd(next, 32);
    first = __shfl_sync(FULL, first, 0);
    if (first >= n) break;
    int i = first + lane;
    if (i < n) {
      float x = input[i], sum = 0;
      for (int trip = 0; trip < i % period; trip++) sum += price(x);
      output[i] = sum;
    }
  }
}

__global__ void conclusion(int *answer) { *answer = HOISTING; }
