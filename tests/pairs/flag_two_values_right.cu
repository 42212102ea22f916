// expect: PASS+note
// run: --kernel k --grid 2 --block 1 --arg buf:i32:2:zero --arg buf:i32:2 --arg buf:i32:1
// advice: 8
// one fence is enough for all that was seen before it
__global__ void k(volatile int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    flag[0] = 1;
    while (flag[1] == 0) {
    }
    data[1] = 2;
    __threadfence();
    flag[0] = 2;
  } else {
    while (flag[0] != 1) {
    }
    flag[1] = 1;
    while (flag[0] != 2) {
    }
    __threadfence();
    *out = data[0] + data[1];
  }
}
