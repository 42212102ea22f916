// expect: RACE
// Old and new value swapped: the lock is 0 and not 1, so that it stays as it is; 0 comes back, and
// everybody is in.

__device__ void acquire(int *lock) {
  while (atomicCAS(lock, 1, 0) != 0) {}
  __threadfence();
}

__device__ void release(int *lock) {
  __threadfence();
  atomicExch(lock, 0);
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
