// expect: PASS
// run: --grid 2 --block 64 --arg buf:u32:256:zero --arg buf:u32:16:zero
// two blocks add to one histogram with atomics
#include <cub/block/block_histogram.cuh>
__global__ void k(const unsigned *d, unsigned *h) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 2, 16, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ Histogram::TempStorage temp;
  unsigned char v[2];
  for (int i = 0; i < 2; i++) v[i] = (unsigned char)(d[(blockIdx.x * 64 + threadIdx.x) * 2 + i] & 15);
  auto &bins = *reinterpret_cast<unsigned(*)[16]>(h);
  Histogram(temp).Composite(v, bins);
}
