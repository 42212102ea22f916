// expect: RACE
// 37_spin_lock - one at a time: a lock for a record of two words.
//
// Runner i of team team[i] took time[i]. For each team, best[t] is the shortest time and who[t] the
// runner who needed it, of equal ones the one with the lowest number. The two belong together: no
// atomic operation of CUDA writes two arrays in one step. So each team has a lock, 0 while it is
// free, and a thread changes the record of a team only while it holds the team's lock.
//
// Your task: acquire and release, which do nothing below. Every thread of the grid calls them, also
// all 32 of a warp for one and the same lock. The check launches the kernel twice with the same
// locks. About 4 lines.

// Returns when this thread holds the lock, and nobody else does.
__device__ void acquire(int *lock) {
  // TODO (about 2 lines)
}

// Called by the thread that holds the lock: gives it back.
__device__ void release(int *lock) {
  // TODO (about 2 lines)
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
