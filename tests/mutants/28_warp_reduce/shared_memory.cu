// expect: RULE
// Why: right, but a tree in shared memory.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void reduce(const int *in, int *sum, int *largest, int *smallest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;

  int total = 0;
  int high = -2147483647 - 1;
  int low = 2147483647;
  if (i < n) total = high = low = in[i];

  __shared__ int board[3][256];
  int t = threadIdx.x;
  board[0][t] = total, board[1][t] = high, board[2][t] = low;
  for (int step = 16; step > 0; step /= 2) {
    __syncwarp();
    if (lane < step) {
      board[0][t] += board[0][t + step];
      board[1][t] = max(board[1][t], board[1][t + step]);
      board[2][t] = min(board[2][t], board[2][t + step]);
    }
  }
  total = board[0][t], high = board[1][t], low = board[2][t];

  if (lane == 0 && i < n) {
    sum[i / 32] = total;
    largest[i / 32] = high;
    smallest[i / 32] = low;
  }
}
