// expect: RACE line 7
// run: --kernel k --grid 1 --block 64 --arg buf:i32:512:zero --arg buf:i32:64:zero
// One thread fills an array by itself, each element from the one before; others read it.
__global__ void k(int *a, int *b) {
  if (threadIdx.x == 0)
    for (int i = 1; i < 500; i++) a[i] = a[i - 1] + i;
  if (threadIdx.x >= 32) b[threadIdx.x] = a[threadIdx.x * 5];
}
