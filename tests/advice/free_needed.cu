// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64
// nobody may still read when the memory is given back: the last barrier is needed for that
__global__ void k(int *out) {
  __shared__ int *p;
  int t = threadIdx.x;
  if (t == 0) p = (int *)malloc(64 * sizeof(int));
  __syncthreads();
  p[t] = t;
  __syncthreads();
  out[t] = p[63 - t];
  __syncthreads();
  if (t == 0) free(p);
}
