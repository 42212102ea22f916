// One kernel that asks <cuda/std/...> for types and limits, as templates do. See headers.c.
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
template <class T, cuda::std::enable_if_t<cuda::std::is_arithmetic_v<T>, int> = 0> __device__ T least(const T *a, int n) {
  T v = cuda::std::numeric_limits<T>::max();
  for (int i = 0; i < n; i++) v = cuda::std::less<T>()(a[i], v) ? a[i] : v;
  return v;
}
__global__ void k(const float *a, float *o, int n) { *o = least(a, n); }
