// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32
// frees it last
__global__ void k(int *out) {
  int t = threadIdx.x;
  int *p = (int *)malloc(4);
  *p = t;
  out[t] = *p;
  free(p);
}
