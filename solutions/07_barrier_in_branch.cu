// 07 - Barrier in a branch: reference answer

__global__ void fold(const int *in, int *out, int n) {
  __shared__ int strip[256], pair[128];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int half = (length + 1) / 2;

  if (t < length) strip[t] = in[first + t];

  // Waiting is for everybody, so it stands outside any condition on t. Threads without an item
  // and threads of the upper half come here too, and then go straight on to the next barrier.
  __syncthreads();
  if (t < half) {
    int other = length - 1 - t;

    // Reads two cells that two threads filled before the barrier; writes a cell that nobody else
    // touches until the next one.
    pair[t] = strip[t] + (other > t ? strip[other] : 0);
  }

  __syncthreads(); // the pairs are complete
  if (t < length) out[first + t] = pair[t < half ? t : length - 1 - t];
}
