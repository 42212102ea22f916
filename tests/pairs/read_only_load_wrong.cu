// expect: RACE
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:32
// a read-only load of what this very launch writes
__global__ void k(int *a, int *out) {
  int t = threadIdx.x;
  a[t] = 2 * t;
  out[t] = __ldg(&a[t]);
}
