// expect: RACE
// The receiver does not wait for the letter: it reads the draft and works the letter out itself.

__device__ void post(int *flag) {}

// The receiver: returns when all of the sender's mail may be read, by any thread of the block.
__device__ void await(int *flag) {}

__global__ void exchange(const int *in, int *mail, int *flag, int *out, int n) {
  int pair = blockIdx.x / 2;
  int *letter = mail + pair * n;

  if (blockIdx.x % 2 == 0) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) letter[i] = 2 * in[pair * n + i] + 1;
    post(&flag[pair]);
  } else {
    await(&flag[pair]);
    // Back to front: each thread reads what others have written.
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      out[pair * n + i] = 2 * in[pair * n + n - 1 - i] + 1;
  }
}
