// expect: PASS
// run: --kernel k --grid 1 --block 33 --arg buf:u8:34
// neighbouring bytes of one word are different memory
__global__ void k(unsigned char *b) {
  __shared__ char s[33];
  int t = threadIdx.x;
  s[t] = (char)t;
  b[t] = (unsigned char)s[t];
}
