// expect: RULE
// Why: right, but over the notice board.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  __shared__ int board[256];
  board[threadIdx.x] = x;
  __syncwarp();
  if (lane >= offset) before = board[threadIdx.x - offset];

  if (i < n) out[i] = x - before;
}
