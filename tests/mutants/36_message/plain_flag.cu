// expect: RACE
// Everything in order except for the flag itself, which is read and written as ordinary memory: a
// fence makes no message of that.

__device__ void post(int *flag) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    *flag = 1;
  }
}

__device__ void await(int *flag) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {}
    __threadfence();
  }
  __syncthreads();
}

__global__ void exchange(const int *in, int *mail, int *flag, int *out, int n) {
  int pair = blockIdx.x / 2;
  int *letter = mail + pair * n;

  if (blockIdx.x % 2 == 0) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) letter[i] = 2 * in[pair * n + i] + 1;
    post(&flag[pair]);
  } else {
    await(&flag[pair]);
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[pair * n + i] = letter[n - 1 - i];
  }
}
