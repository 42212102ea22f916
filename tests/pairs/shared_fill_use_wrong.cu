// expect: RACE line 8
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64:iota --arg buf:i32:64
// the tile is read before anybody made sure that it is full
__global__ void k(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = in[t];
  out[t] = tile[63 - t];
}
