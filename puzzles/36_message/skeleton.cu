// expect: RACE
// 36_message - one block sends, another receives: first the data, then a flag.
//
// Blocks work in pairs: block 2p writes n numbers to mail[p] and raises flag[p], from 0 to 1; block
// 2p + 1 waits for the flag and reads the mail. All threads of a block take part, and a letter may
// be longer than the block has threads. Below, nothing makes sure that the data is there when the
// flag is seen, nor that the flag is ever seen.
//
// Your task: repair post and await. Whole blocks call them. About 8 lines.

// The sender: called when this thread has written its part of the mail. Raises the flag.
__device__ void post(int *flag) {
  // TODO (about 4 lines): when the whole block has written, and not before
  *flag = 1;
}

// The receiver: returns when all of the sender's mail may be read, by any thread of the block.
__device__ void await(int *flag) {
  // TODO (about 4 lines): one thread is enough to watch the flag
  while (*flag == 0) {}
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
