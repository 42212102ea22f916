// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64:iota
// advice: 7
// the vote waits for everybody by itself
__global__ void k(int *a) {
  int t = threadIdx.x, v = a[t];
  __syncthreads();
  int any = __syncthreads_or(v == 40);
  a[t] = any;
}
