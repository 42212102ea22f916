// expect: RACE
//
// 02 - Read before write
//
// Each block takes a stretch of the input, as long as the block has threads (the last stretch may
// be shorter), and writes it to the same stretch of the output, back to front. The block lays the
// stretch out in shared memory first: then both trips to global memory run in order, which the
// hardware likes.
//
// One line is missing.

__global__ void reverse_tiles(const int *in, int *out, int n) {
  __shared__ int tile[256]; // one array for all threads of the block
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);

  if (t < length) tile[t] = in[first + t];

  // TODO (1 line)

  if (t < length) out[first + t] = tile[length - 1 - t];
}
