// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64:iota
// a barrier that brings a value is needed for the value
__global__ void k(int *a) {
  int t = threadIdx.x, v = a[t];
  int any = __syncthreads_or(v == 40);
  a[t] = any;
}
