// expect: RULE
// 52_claims - an article says that a queue made its kernel twice as fast. Did it?
//
// Every item i costs i % period trips of a loop. The article's first kernel deals the items out
// beforehand and works out the price in every trip (static_inside). Its second draws items from a
// queue, and also works out the price once, before the loop (queue_outside). Two changes, one
// figure.
//
// Your task: write the two kernels in between, so that each differs from the article's in one thing
// only. Then say in `conclusion` what made it faster; the report has the cycles of all four.
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
// TODO (about 2 lines): fixed items, price before the loop
__global__ void static_outside(const float *input, float *output, int n, int period) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x = input[i], sum = 0;
    for (int trip = 0; trip < i % period; trip++) sum += price(x);
    output[i] = sum;
  }
}

// TODO (about 2 lines): items from the queue, price in the loop
__global__ void queue_inside(const float *input, float *output, int n, int period, int *next) {
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

// TODO (1 line): what the article says. And you? One of the four names above.
__global__ void conclusion(int *answer) { *answer = QUEUE; }
