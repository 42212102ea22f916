// expect: PASS
// run: --grid 1 --block 16,16 --arg buf:f32:512:ones --arg buf:f32:512:iota --arg buf:f32:256 --arg i32:32 --expect 2=7936,7968,8000,8032,8064,8096,8128,8160,8192,8224,8256,8288,8320,8352,8384,8416,7936,7968,8000,8032,8064,8096
// GEMM of 16 x 16 outputs, 8 deep tiles by cp.async, three stages, groups counted with wait_group.
#define STAGES 3
#define BK 8
__device__ __forceinline__ unsigned smem(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void cp16(void *dst, const void *src) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(dst)), "l"(src) : "memory");
}
__global__ void gemm(const float *A, const float *B, float *C, int K) {
  __shared__ __align__(16) float As[STAGES][16][BK];
  __shared__ __align__(16) float Bs[STAGES][BK][16];
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
  const int tiles = K / BK;
  auto load = [&](int t) {
    int s = t % STAGES;
    if (tid < 32) cp16(&As[s][tid / 2][tid % 2 * 4], &A[tid / 2 * K + t * BK + tid % 2 * 4]);
    else if (tid < 64) cp16(&Bs[s][(tid - 32) / 4][tid % 4 * 4], &B[(t * BK + (tid - 32) / 4) * 16 + tid % 4 * 4]);
  };
  for (int t = 0; t < STAGES - 1; t++) {
    if (t < tiles) load(t);
    asm volatile("cp.async.commit_group;");
  }
  float acc = 0;
  for (int t = 0; t < tiles; t++) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
    if (t + STAGES - 1 < tiles) load(t + STAGES - 1);
    asm volatile("cp.async.commit_group;");
    for (int k = 0; k < BK; k++) acc += As[t % STAGES][ty][k] * Bs[t % STAGES][k][tx];
  }
  C[ty * 16 + tx] = acc;
}
