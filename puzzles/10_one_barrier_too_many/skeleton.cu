// expect: RULE
//
// 10 - One barrier too many
//
// Each block treats its own stretch of a recording: it mixes the stretch with itself played
// backwards, cuts off what is too loud, and adds up each sample with its two neighbours. (At either
// end the missing neighbour counts as the sample itself.)
//
// Somebody was careful and put a barrier after every step. The result is right. But a barrier makes
// the whole block wait for its slowest thread, and three of the six part nothing.

#define LOUDEST 1000

__global__ void treat(const int *in, int *out, int n) {
  __shared__ int level[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int mirror = length - 1 - t, left = max(t - 1, 0), right = min(t + 1, length - 1);
  int mixed = 0, sum = 0;

  // TODO (delete 3 of the 6 barriers)
  if (t < length) level[t] = in[first + t];
  __syncthreads(); // A

  if (t < length) mixed = level[t] + level[mirror];
  __syncthreads(); // B

  if (t < length) level[t] = mixed;
  __syncthreads(); // C

  if (t < length) level[t] = min(level[t], LOUDEST);
  __syncthreads(); // D

  if (t < length) sum = level[left] + level[t] + level[right];
  __syncthreads(); // E

  if (t < length) out[first + t] = sum;
  __syncthreads(); // F
}
