// expect: RACE line 11
// run: --kernel k --grid 1 --block 64 --arg buf:i32:2048:iota --arg buf:i32:1:zero
// One thread goes over an array by itself, many times and here and there; then a thread of another warp
// stores to an element that it has read.
__global__ void k(int *a, int *sum) {
  if (threadIdx.x == 0) {
    int s = 0;
    for (int i = 0; i < 900; i++) s += a[i * 7 % 1500];
    *sum = s;
  }
  if (threadIdx.x == 40) a[1449] = 1;
}
