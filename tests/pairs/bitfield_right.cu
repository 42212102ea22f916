// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32 --arg buf:i32:32:rand
// setting one bit-field reads the undefined rest of its word, and keeps it undefined: nobody looks at that
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
  unsigned v = s[31 - t].a;
  if (v > 5) o[t] = v;
  else o[t] = 0;
}
