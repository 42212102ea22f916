// expect: RACE
// One lane takes the lock, and all go in.

__device__ void acquire(int *lock) {
  if (threadIdx.x % 32 == 0)
    while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
}

__device__ void release(int *lock) {
  __threadfence();
  if (threadIdx.x % 32 == 0) atomicExch(lock, 0);
}

__global__ void records(const int *team, const int *time, int *lock, int *best, int *who, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int t = team[i];

  acquire(&lock[t]);
  if (time[i] < best[t] || (time[i] == best[t] && i < who[t])) {
    best[t] = time[i];
    who[t] = i;
  }
  release(&lock[t]);
}
