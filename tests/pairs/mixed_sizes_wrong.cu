// expect: RACE line 8
// run: --kernel k --grid 1 --block 32 --arg buf:i32:8
// one thread clears a word while others write its bytes
__global__ void k(int *words) {
  unsigned char *bytes = (unsigned char *)words;
  int t = threadIdx.x;
  bytes[t] = (unsigned char)t;
  if (t % 4 == 1) words[t / 4] = 0;
}
