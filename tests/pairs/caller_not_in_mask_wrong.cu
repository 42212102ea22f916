// expect: TRAP line 6
// run: --kernel k --grid 1 --block 32 --arg buf:u32:32
// lanes vote with a mask that does not name them
__global__ void k(unsigned *out) {
  int t = threadIdx.x;
  out[t] = __ballot_sync(0xffu, t & 1);
}
