// expect: BOUNDS line 9
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32
// reads memory that it has given back
__global__ void k(int *out) {
  int t = threadIdx.x;
  int *p = (int *)malloc(4);
  *p = t;
  free(p);
  out[t] = *p;
}
