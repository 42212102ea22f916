// expect: PASS
// run: --grid 2,1 --block 8,8 --arg buf:i32:1080:iota --arg buf:i32:1080:ones --arg i32:12 --arg i32:10 --arg i32:9 --expect 0=0..1079 --expect 1=1*133,0*10,1*2,0*10,1*2,0*10,1*2,0*10,1*2,0*10,1*2,0*10,1*2,0*10,1*2,0*10,1*26,0*10,1*2,0*10,1*2,0*10,1*2,0*10
// 3-D seven-point stencil: a plane in shared memory, a queue of three in registers.
#define BX 8
#define BY 8
__global__ void stencil(const int *in, int *out, int nx, int ny, int nz) {
  __shared__ int plane[BY + 2][BX + 2];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  bool inside = x < nx - 1 && y < ny - 1;
  x = min(x, nx - 1), y = min(y, ny - 1);
  int stride = nx * ny, at = y * nx + x;
  int behind, current = in[at], ahead = in[at + stride];
  for (int z = 1; z < nz - 1; z++) {
    at += stride;
    behind = current;
    current = ahead;
    ahead = in[at + stride];
    __syncthreads();
    plane[ty][tx] = current;
    if (threadIdx.x == 0) plane[ty][0] = in[at - 1];
    if (threadIdx.x == BX - 1) plane[ty][BX + 1] = x + 1 < nx ? in[at + 1] : 0;
    if (threadIdx.y == 0) plane[0][tx] = in[at - nx];
    if (threadIdx.y == BY - 1) plane[BY + 1][tx] = y + 1 < ny ? in[at + nx] : 0;
    __syncthreads();
    if (inside)
      out[at] = 6 * current - plane[ty][tx - 1] - plane[ty][tx + 1] - plane[ty - 1][tx] -
                plane[ty + 1][tx] - behind - ahead;
  }
}
