// expect: PASS
// run: --kernel k --grid 1 --block 32 --max-steps 100000 --arg buf:u32:32
// an even one does
__global__ void k(unsigned *out) {
  unsigned i = 1u << 26;
  while (i) i += 1u << 26;
  out[threadIdx.x] = i;
}
