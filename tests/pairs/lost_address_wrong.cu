// expect: UNINIT line 11
// run: --kernel k --grid 1 --block 32 --arg buf:i32:64:zero
// the place comes from a lane that takes no part in the shuffle: that all lanes then store to one
// element is only a consequence, and no race of its own
__global__ void k(int *out) {
  int lane = threadIdx.x, first = 0;
  if (lane == 0) {
    first = 32;
  } else {
    int place = __shfl_sync(0xfffffffe, first, 0);
    out[place] = lane;
  }
}
