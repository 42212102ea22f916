// expect: UNINIT|WRONG
// The letter is volatile as well, and nothing is fenced. That is no data race, since both sides
// know of each other; but where stores are delayed the flag arrives before the letter.

__device__ void post(int *flag) {
  __syncthreads();
  if (threadIdx.x == 0) {
    *(volatile int *)flag = 1;
  }
}

__device__ void await(int *flag) {
  if (threadIdx.x == 0) {
    while (*(volatile int *)flag == 0) {}
  }
  __syncthreads();
}

__global__ void exchange(const int *in, int *mail, int *flag, int *out, int n) {
  int pair = blockIdx.x / 2;
  volatile int *letter = mail + pair * n;

  if (blockIdx.x % 2 == 0) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) letter[i] = 2 * in[pair * n + i] + 1;
    post(&flag[pair]);
  } else {
    await(&flag[pair]);
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[pair * n + i] = letter[n - 1 - i];
  }
}
