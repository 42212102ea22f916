// expect: BOUNDS line 7
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:32
// indexes a local array of 4 with up to 31
__global__ void k(const int *in, int *out) {
  int list[4] = {1, 2, 3, 4};
  int t = threadIdx.x;
  list[in[t]] = t;
  out[t] = list[0] + list[3];
}
