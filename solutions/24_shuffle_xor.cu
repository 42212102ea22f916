// 24_shuffle_xor - a reference answer.
//
// After the steps 16, 8, ..., s a lane knows the result over all lanes whose numbers differ from
// its own in the bits done so far. A partner knows the same about a disjoint set: nothing is
// counted twice, nothing is left out, and after all five bits each lane has combined all 32.
//
// Every lane runs every shuffle, as the full mask promises; only the use of the result is
// conditional. Sum, largest and smallest each travel in a variable of their own.
#define FULL 0xffffffffu

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  for (int step = 16; step > 0; step /= 2) {
    total += __shfl_xor_sync(FULL, total, step);
    int other_high = __shfl_xor_sync(FULL, high, step);
    int other_low = __shfl_xor_sync(FULL, low, step);
    if (other_high > high) high = other_high;
    if (other_low < low) low = other_low;
  }

  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
