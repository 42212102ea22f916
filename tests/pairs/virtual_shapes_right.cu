// expect: PASS
// run: --grid 1 --block 32 --arg buf:f32:32 --expect 0=16,15,16,15,16,15,16,15,16,15,16,15,16,15,16,15,16,15,16,15,16,15,16,15,16,15,16,15,16,15,16,15
// Objects with virtual functions made on the device in shared memory by placement.
struct Shape { __device__ virtual float area() const = 0; };
struct Square : Shape { float a; __device__ Square(float x) : a(x) {} __device__ float area() const override { return a * a; } };
struct Rect : Shape { float a, b; __device__ Rect(float x, float y) : a(x), b(y) {} __device__ float area() const override { return a * b; } };
__device__ inline void *operator new(size_t, void *p, int) { return p; }
__global__ void areas(float *out) {
  __shared__ __align__(16) unsigned char mem[2][32];
  __shared__ Shape *shapes[2];
  if (threadIdx.x == 0) {
    shapes[0] = new (mem[0], 0) Square(4);
    shapes[1] = new (mem[1], 0) Rect(3, 5);
  }
  __syncthreads();
  out[threadIdx.x] = shapes[threadIdx.x % 2]->area();
}
