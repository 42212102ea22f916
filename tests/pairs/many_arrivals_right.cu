// expect: PASS
// run: --kernel k --grid 64 --block 256 --sms 64 --schedule random --arg buf:i32:16384 --arg buf:i32:1:zero --arg buf:i32:1
// run: --kernel k --grid 64 --block 256 --schedule converged --arg buf:i32:16384 --arg buf:i32:1:zero --arg buf:i32:1
// 16,384 threads pass the messages of one counter round, several times; who comes last has them all.
__device__ int arrive(int *count) {
  int old;
  asm volatile("atom.add.acq_rel.gpu.s32 %0, [%1], 1;" : "=r"(old) : "l"(count) : "memory");
  return old;
}

__global__ void k(int *part, int *count, int *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, old = 0;
  part[i] = 1;
  for (int round = 0; round < 4; round++) old = arrive(count);
  if (old != 4 * n - 1) return;
  int all = 0;
  for (int t = 0; t < n; t++) all += part[t];
  *sum = all;
}
