// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:64:zero
// all lanes take part in the shuffle
__global__ void k(int *out) {
  int lane = threadIdx.x, first = 0;
  if (lane == 0) first = 32;
  int place = __shfl_sync(0xffffffff, first, 0);
  out[place + lane] = lane;
}
