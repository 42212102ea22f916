// expect: DEADLOCK
// run: --kernel k --grid 2 --block 32 --arg buf:i32:40:zero --arg buf:i32:2
// searches 39 places round and round for an offer that is made in another
__global__ void k(volatile int *offer, int *out) {
  if (threadIdx.x == 0) {
    int found = -1;
    if (blockIdx.x == 1)
      while (found < 0)
        for (int i = 0; i < 39 && found < 0; i++)
          if (offer[i] != 0) found = i;
    if (blockIdx.x == 0) offer[39] = 1;
    out[blockIdx.x] = found;
  }
}
