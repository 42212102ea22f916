// expect: HANG
// run: --kernel k --grid 1 --block 32 --max-steps 100000 --arg buf:u32:32
// an odd number never becomes 0
__global__ void k(unsigned *out) {
  unsigned i = 1;
  while (i) i += 2;
  out[threadIdx.x] = i;
}
