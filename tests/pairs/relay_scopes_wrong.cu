// expect: WRONG
// run: --grid 3 --block 64 --arg buf:i32:8:zero --arg buf:i32:1:zero --arg buf:i32:1:zero --arg buf:i32:3:zero --expect 3=10,20,10 --seeds 100
// The last step goes from block to block, and its reader fences for its own block only. All is volatile: nothing races.
__global__ void chain(volatile int *data, volatile int *flag, volatile int *flag2, int *out) {
  __shared__ volatile int local;
  int t = threadIdx.x;
  if (t == 0) local = 0;
  __syncthreads();
  if (blockIdx.x == 0) {
    if (t == 0) { for (int i = 0; i < 4; i++) data[i] = i + 1; __threadfence(); *flag = 1; }
  } else if (blockIdx.x == 1) {
    if (t == 0) { while (*flag == 0) {} __threadfence(); local = 1; }
    if (t == 32) { while (local == 0) {} __threadfence_block(); int s = 0; for (int i = 0; i < 4; i++) s += data[i]; out[0] = s; data[4] = s; __threadfence(); *flag2 = 1; }
    if (t == 33) { while (local == 0) {} __threadfence_block(); int s = 0; for (int i = 3; i >= 0; i--) s += data[i]; out[2] = s; }
  } else if (t == 5) {
    while (*flag2 == 0) {} __threadfence_block();
    int s = 0; for (int i = 0; i < 5; i++) s += data[i]; out[1] = s;
  }
}
