// 37_spin_lock - a reference answer.

// One step finds the lock free and takes it, so that two threads never both find it free. Then the
// fence: what this thread does from here on comes after what the one before did, who fenced before
// giving the lock back.
__device__ void acquire(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
}

// The fence: all that was done is there before the lock is seen to be free. Giving back is an
// atomic as well, since the others look at the lock meanwhile.
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
