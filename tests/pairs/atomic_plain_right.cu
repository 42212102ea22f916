// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:1:zero --arg buf:i32:64
// the read comes after a barrier
__global__ void k(int *c, int *out) {
  atomicAdd(c, 1);
  __syncthreads();
  out[threadIdx.x] = *c;
}
