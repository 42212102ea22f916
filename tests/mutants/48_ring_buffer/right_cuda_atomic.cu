// expect: PASS
// Right: the same with the atomics of the C++ library.
#include <cuda/atomic>

struct Item {
  int number;
  int value;
};

struct Ring {
  int *tail, *head;
  int *turn;
  Item *cell;
  int size;
};

__device__ auto turn(const Ring &r, int at) {
  return cuda::atomic_ref<int, cuda::thread_scope_device>(r.turn[at]);
}

__device__ void push(const Ring &r, Item item) {
  int ticket = atomicAdd(r.tail, 1);
  int at = ticket % r.size;
  int lap = ticket / r.size;
  while (turn(r, at).load(cuda::memory_order_acquire) != 2 * lap) {}
  r.cell[at] = item;
  turn(r, at).store(2 * lap + 1, cuda::memory_order_release);
}

__device__ Item pop(const Ring &r) {
  int ticket = atomicAdd(r.head, 1);
  int at = ticket % r.size;
  int lap = ticket / r.size;
  while (turn(r, at).load(cuda::memory_order_acquire) != 2 * lap + 1) {}
  Item item = r.cell[at];
  turn(r, at).store(2 * lap + 2, cuda::memory_order_release);
  return item;
}

__global__ void relay(const int *value, int n, int producers, int *tail, int *head, int *turn,
                      Item *cell, int size, Item *out) {
  Ring r = {tail, head, turn, cell, size};
  int all = producers * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < all) {
    for (; i < n; i += all) push(r, Item{i, value[i]});
  } else {
    int others = gridDim.x * blockDim.x - all;
    for (i -= all; i < n; i += others) out[i] = pop(r);
  }
}
