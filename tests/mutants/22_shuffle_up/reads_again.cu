// expect: RULE
// Why: right, but the number before is read from global memory once more.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  if (lane >= offset && i < n) before = in[i - offset];

  if (i < n) out[i] = x - before;
}
