// expect: RACE
// run: --kernel k --grid 2 --block 1 --strict volatile --arg buf:i32:1:zero --arg buf:i32:1 --arg buf:i32:1
// a volatile flag, and asked to be strict
__global__ void k(volatile int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *out = *data;
  }
}
