// expect: PASS
// run: --grid 2 --block 32 --arg buf:i32:39:=0..38 --arg buf:i32:39:=1..39 --arg i32:39 --arg buf:i32:64:iota
// Connected components, lock-free: hook the larger root below the smaller with compare-and-swap.
__device__ int load(const int *p) { return *(volatile const int *)p; }
__device__ int find(int *parent, int x) {
  int p = atomicAdd(&parent[x], 0);
  while (p != x) {
    x = p;
    p = atomicAdd(&parent[x], 0);
  }
  return x;
}
__global__ void unite(const int *from, const int *to, int n, int *parent) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int a = find(parent, from[i]), b = find(parent, to[i]);
  while (a != b) {
    if (a < b) { int c = a; a = b; b = c; }
    int old = atomicCAS(&parent[a], a, b);
    if (old == a) break;
    a = find(parent, old);
    b = find(parent, b);
  }
}
