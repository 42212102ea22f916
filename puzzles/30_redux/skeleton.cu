// expect: RULE
// 30_redux - a warp's integers combined by one instruction, then one atomic for all of them.
//
// in[i] is what customer i paid, flags[i] has one bit set for each kind of thing that was bought.
// Over all n customers, find the total paid, the largest single payment, and all the bits that
// occur. The check has set *total, *largest and *kinds to 0; no payment is negative.
//
// The kernel below is right, but each thread sends three atomic operations to the same three
// cells, where they queue up.
//
// Your task: combine within the warp first. At most three atomic operations for each warp.
#define FULL 0xffffffffu // all 32 lanes take part

__global__ void till(const int *in, const unsigned *flags, int *total, int *largest,
                     unsigned *kinds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int paid = 0;
  unsigned bought = 0;
  if (i < n) {
    paid = in[i];
    bought = flags[i];
  }

  // TODO (about 5 lines): the warp's three results first, then let one lane report them
  if (i < n) {
    atomicAdd(total, paid);
    atomicMax(largest, paid);
    atomicOr(kinds, bought);
  }
}
