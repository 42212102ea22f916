// expect: RACE
// run: --kernel k --grid 1 --block 33 --arg buf:u8:34
// each thread also writes its neighbour's byte
__global__ void k(unsigned char *b) {
  int t = threadIdx.x;
  b[t] = (unsigned char)t;
  b[t + 1] = (unsigned char)(t + 100);
}
