// expect: PASS
// run: --kernel k --grid 3 --block 64 --arg buf:i32:192 --arg buf:i32:1:zero --arg buf:i32:1:zero
// the last to count reads what all have written: now the fences carry it
__global__ void k(int *out, int *count, int *sum) {
  int t = threadIdx.x;
  out[blockIdx.x * 64 + t] = t;
  __syncthreads();
  if (t) return;
  __threadfence();
  if (atomicAdd(count, 1) < 2) return;
  __threadfence();
  for (int i = 0; i < 192; i++) *sum += out[i];
}
