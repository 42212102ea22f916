// 36_message - a reference answer.

// Release. The barrier: the whole block has written, and thread 0 knows it. The fence: what
// thread 0 knows is there before the flag is. The flag: atomic, so that the other block may look
// meanwhile.
__device__ void post(int *flag) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(flag, 1);
  }
}

// Acquire. The flag: adding 0 reads it, each time anew. The fence: what follows is read after the
// flag was seen. The barrier: the other threads wait for that, and know what thread 0 knows.
__device__ void await(int *flag) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {}
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
