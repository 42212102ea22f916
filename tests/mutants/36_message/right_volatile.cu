// expect: PASS+note
// Right: volatile makes each access where it is written, and the fences make the order. (A note
// says that two volatile accesses met.)

__device__ void post(int *flag) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    *(volatile int *)flag = 1;
  }
}

__device__ void await(int *flag) {
  if (threadIdx.x == 0) {
    while (*(volatile int *)flag == 0) {}
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
