// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32
// undefined padding bytes travel along and harm nobody
struct pair {
  char tag;
  int value;
};
__global__ void k(int *out) {
  __shared__ struct pair s[32];
  int t = threadIdx.x;
  s[t].tag = (char)t;
  s[t].value = 2 * t;
  __syncthreads();
  struct pair other = s[31 - t];
  out[t] = 0;
  if (other.value > 3) out[t] = other.tag;
}
