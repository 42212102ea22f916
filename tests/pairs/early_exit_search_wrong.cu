// expect: RACE line 9
// run: --grid 3 --block 64 --arg buf:i32:192:=0..63,0..63,0..63 --arg buf:i32:1:=999 --arg i32:30
// Everybody looks at a shared flag and stops when somebody has found it.
__global__ void search(const int *in, int *found, int key) {
  __shared__ int stop;
  if (threadIdx.x == 0) stop = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (stop == 0 && in[i] == key) {
    atomicMin(found, i);
    atomicExch(&stop, 1);
  }
}
