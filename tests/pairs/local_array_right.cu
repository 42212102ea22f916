// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:32
// index taken modulo 4
__global__ void k(const int *in, int *out) {
  int list[4] = {1, 2, 3, 4};
  int t = threadIdx.x;
  list[in[t] % 4] = t;
  out[t] = list[0] + list[3];
}
