// expect: DEADLOCK
// run: --kernel k --grid 1 --block 33 --arg buf:i32:2 --arg i32:6000 --max-steps 1000000
// the same, but the thread computes and then leaves without arriving
__global__ void k(int *out, int n) {
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.b64 [%0], 1;" ::"l"(&bar) : "memory");
  __syncthreads();
  if (threadIdx.x == 32) {
    unsigned x = 1;
    for (int i = 0; i < n; i++) x = x * 1664525u + 1013904223u;
    out[0] = (int)x;
  } else {
    int yes = 0;
    while (!yes)
      asm volatile(
          "{ .reg .pred p; mbarrier.test_wait.parity.b64 p, [%1], 0; selp.s32 %0, 1, 0, p; }"
          : "=r"(yes)
          : "l"(&bar)
          : "memory");
    if (threadIdx.x == 0) out[1] = out[0];
  }
}
