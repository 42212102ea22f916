// expect: RACE line 7
// run: --kernel k --grid 4 --block 32 --arg buf:i32:129:iota
// updates an array in place from its right neighbour, which belongs to another thread
__global__ void k(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int next = a[i + 1];
  a[i] = a[i] + next;
}
