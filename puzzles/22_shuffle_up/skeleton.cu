// expect: WRONG
//
// 22 - Shuffle up
//
// Each thread has one number. It writes the difference between its number and that of the lane
// `offset` places before it in the same warp. The first `offset` lanes have nobody that far before
// them: they write their own number as it is. `offset` is from 1 to 31, the same for all threads.
//   offset 2:   x    5  9  6  6  1 ...
//               out  5  9  1 -3 -5 ...
//
// The block has whole warps only.
#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  // TODO (about 2 lines): what the lane `offset` places before has in x; 0 where there is none

  if (i < n) out[i] = x - before;
}
