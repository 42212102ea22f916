// expect: PASS
// Right: a ticket lock in one word. The upper half counts the tickets drawn, the lower half says
// whose turn it is; both wrap around by themselves, as long as a carry does not get from one to
// the other.

__device__ void acquire(int *lock) {
  unsigned drawn = atomicAdd((unsigned *)lock, 1u << 16) >> 16;
  while ((atomicAdd((unsigned *)lock, 0) & 0xffff) != drawn) {}
  __threadfence();
}

__device__ void release(int *lock) {
  __threadfence();
  atomicAdd((unsigned *)lock, 1);
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
