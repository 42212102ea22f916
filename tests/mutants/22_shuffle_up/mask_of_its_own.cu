// expect: UNINIT
// Why: each lane names itself only. The lane before takes no part in that shuffle, and its value
// is undefined.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  int got = __shfl_up_sync(1u << lane, x, offset);
  if (lane >= offset) before = got;

  if (i < n) out[i] = x - before;
}
