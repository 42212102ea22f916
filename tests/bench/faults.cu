// The twins of faults.cl in CUDA. Each runs as two blocks of 32.
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
__global__ void no_barrier(int *o) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  o[ID] = s[31 - t];
}
__global__ void overwritten_early(int *o) {
  __shared__ int s[32];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < 4; i++) {
    s[t] = t + i;
    __syncthreads();
    sum += s[31 - t];
  }
  o[ID] = sum;
}
__global__ void lost_update(int *o) { o[0] += 1; }
__global__ void barrier_in_branch(int *o) {
  if (threadIdx.x < 16) __syncthreads();
  o[ID] = 1;
}
__global__ void never_written(int *o) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < 16) s[t] = t;
  __syncthreads();
  if (s[t]) o[ID] = 1;
}
__global__ void last_group_unfenced(int *o) {
  if (threadIdx.x) return;
  o[1 + blockIdx.x] = 5;
  if (atomicAdd(&o[0], 1) == 1) o[3] = o[1] + o[2];
}
__global__ void last_group(int *o) {
  if (threadIdx.x) return;
  o[1 + blockIdx.x] = 5;
  __threadfence();
  if (atomicAdd(&o[0], 1) == 1) {
    __threadfence();
    o[3] = o[1] + o[2];
  }
}
__global__ void right(int *o) {
  __shared__ int s[32];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < 4; i++) {
    s[t] = t + i;
    __syncthreads();
    sum += s[31 - t];
    __syncthreads();
  }
  o[ID] = sum;
}
