// expect: BOUNDS line 9
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64:iota
// thread 0 reads in front of the array
__global__ void k(int *a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  a[t] = s[t] + s[t - 1];
}
