// expect: TRAP line 5
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota
// one thread gives up
__global__ void k(int *a) {
  if (a[threadIdx.x] == 31) __trap();
  a[threadIdx.x] = 0;
}
