// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:u32:32
// every octet has its own mask
__global__ void k(unsigned *out) {
  int t = threadIdx.x;
  out[t] = __ballot_sync(0xffu << (t & 24), t & 1);
}
