// expect: UNINIT line 14
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32
// the field that decides was never set
struct pair {
  char tag;
  int value;
};
__global__ void k(int *out) {
  __shared__ struct pair s[32];
  int t = threadIdx.x;
  s[t].tag = 1;
  struct pair mine = s[t];
  out[t] = 0;
  if (mine.value > 3) out[t] = 1;
}
