// expect: TRAP line 7
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota
// an assertion that one thread breaks
#include <assert.h>
__global__ void k(int *a) {
  int t = threadIdx.x;
  assert(a[t] < 31);
  a[t] = 0;
}
