// expect: UNINIT line 15
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32 --arg buf:i32:32:rand
// the other field of the word was never set
struct S {
  unsigned a : 24;
  unsigned b : 8;
};
__global__ void k(int *o, const int *in) {
  __shared__ S s[32];
  int t = threadIdx.x;
  S mine;
  mine.a = in[t];
  s[t].a = mine.a + 1;
  __syncthreads();
  if (s[31 - t].b > 5) o[t] = 1;
  else o[t] = 0;
}
