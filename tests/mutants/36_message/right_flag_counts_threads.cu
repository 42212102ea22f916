// expect: PASS
// Every thread of the sender speaks for itself: the flag counts them.

__device__ void post(int *flag) {
  __threadfence();
  atomicAdd(flag, 1);
}

// The receiver: returns when all of the sender's mail may be read, by any thread of the block.
__device__ void await(int *flag) {
  while (atomicAdd(flag, 0) < (int)blockDim.x) {}
  __threadfence();
}

__global__ void exchange(const int *in, int *mail, int *flag, int *out, int n) {
  int pair = blockIdx.x / 2;
  int *letter = mail + pair * n;

  if (blockIdx.x % 2 == 0) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) letter[i] = 2 * in[pair * n + i] + 1;
    post(&flag[pair]);
  } else {
    await(&flag[pair]);
    // Back to front: each thread reads what others have written.
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[pair * n + i] = letter[n - 1 - i];
  }
}
