// expect: RACE line 14
// run: --grid 1 --block 64 --arg buf:i32:256:iota --arg buf:i32:256
// loads and stores by way of one storage: each thread overwrites only what it read itself, and still the storage is not free
#include <cub/cub.cuh>
__global__ void k(const int *d, int *o) {
  using Load = cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union { Load::TempStorage load; Store::TempStorage store; } temp;
  int v[4];
  Load(temp.load).Load(d, v);
  for (int i = 0; i < 4; i++) v[i] += i;

  /* here */
  Store(temp.store).Store(o, v);
}
