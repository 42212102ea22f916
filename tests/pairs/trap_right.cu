// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota
// nobody does
__global__ void k(int *a) {
  if (a[threadIdx.x] == 32) __trap();
  a[threadIdx.x] = 0;
}
