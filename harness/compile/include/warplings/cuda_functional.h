/* cuda_functional.h - operators as objects: <cuda/std/functional>, and maximum and minimum of <cuda/functional>.
 * Without a type (`plus<>`) they take what they are given. */
#ifndef WARPLINGS_CUDA_FUNCTIONAL
#define WARPLINGS_CUDA_FUNCTIONAL
#include "warplings/traits.h"

#define WL_OPERATOR(name, result)                                                                  \
  template <class T = void> struct name {                                                          \
    WL_EARLY auto operator()(const T &a, const T &b) const { return result; }                      \
  };                                                                                               \
  template <> struct name<void> {                                                                  \
    template <class A, class B> WL_EARLY auto operator()(const A &a, const B &b) const { return result; } \
  };
namespace cuda {
namespace std {
WL_OPERATOR(plus, a + b)
WL_OPERATOR(minus, a - b)
WL_OPERATOR(multiplies, a *b)
WL_OPERATOR(divides, a / b)
WL_OPERATOR(modulus, a % b)
WL_OPERATOR(bit_and, a &b)
WL_OPERATOR(bit_or, a | b)
WL_OPERATOR(bit_xor, a ^ b)
WL_OPERATOR(logical_and, a &&b)
WL_OPERATOR(logical_or, a || b)
WL_OPERATOR(equal_to, a == b)
WL_OPERATOR(not_equal_to, a != b)
WL_OPERATOR(less, a < b)
WL_OPERATOR(greater, a > b)
WL_OPERATOR(less_equal, a <= b)
WL_OPERATOR(greater_equal, a >= b)
struct identity {
  template <class T> WL_EARLY T &&operator()(T &&v) const { return static_cast<T &&>(v); }
};
} // namespace std
WL_OPERATOR(maximum, a < b ? b : a)
WL_OPERATOR(minimum, b < a ? b : a)
} // namespace cuda
#undef WL_OPERATOR
#endif
