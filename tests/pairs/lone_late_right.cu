// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:512:iota --arg buf:i32:1:zero
// One thread reads by itself for so long that the others have their turn meanwhile: what it reads after
// that by the same instruction may have changed.
__global__ void k(int *a, int *sum) {
  if (threadIdx.x == 40) a[300] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    int s = 0;
    for (int i = 0; i < 3000; i++) s += a[i < 2900 ? i * 7 % 200 : 300];
    *sum = s;
  }
}
