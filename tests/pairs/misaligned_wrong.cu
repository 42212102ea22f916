// expect: BOUNDS line 6
// run: --kernel k --grid 1 --block 4 --arg buf:u8:64:zero --arg buf:i32:4
// an int at an odd address
__global__ void k(unsigned char *bytes, int *out) {
  int t = threadIdx.x;
  out[t] = *(int *)(bytes + 4 * t + 1);
}
