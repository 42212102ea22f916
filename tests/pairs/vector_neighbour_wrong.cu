// expect: RACE
// run: --kernel k --grid 1 --block 8 --arg buf:f32:33:ones
// 16-byte stores overlap the next thread's first element
__global__ void k(float *a) {
  int t = threadIdx.x;
  ((float4 *)a)[t] = make_float4(0, 1, 2, (float)t);
  a[4 * t + 4] = 7;
}
