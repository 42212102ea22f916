/* traits.h - what kernels use of <type_traits> and <limits>, under std:: and cuda::std:: alike, for both compilers. */
#ifndef WARPLINGS_TRAITS
#define WARPLINGS_TRAITS
#include "warplings/cuda_base.h"

#define WL_BOTH inline __host__ __device__ constexpr

namespace wl_std {
template <class T, T v> struct integral_constant {
  static constexpr T value = v;
  using value_type = T;
  using type = integral_constant;
  __host__ __device__ constexpr operator T() const noexcept { return v; }
  __host__ __device__ constexpr T operator()() const noexcept { return v; }
};
template <bool v> using bool_constant = integral_constant<bool, v>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class T> struct type_identity { using type = T; };
template <bool c, class A, class B> struct conditional : type_identity<A> {};
template <class A, class B> struct conditional<false, A, B> : type_identity<B> {};
template <bool c, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> : type_identity<T> {};
template <class...> using void_t = void;

template <class T> struct remove_const : type_identity<T> {};
template <class T> struct remove_const<const T> : type_identity<T> {};
template <class T> struct remove_volatile : type_identity<T> {};
template <class T> struct remove_volatile<volatile T> : type_identity<T> {};
template <class T> struct remove_cv : remove_const<typename remove_volatile<T>::type> {};
template <class T> struct remove_reference : type_identity<T> {};
template <class T> struct remove_reference<T &> : type_identity<T> {};
template <class T> struct remove_reference<T &&> : type_identity<T> {};
template <class T> struct remove_cvref : remove_cv<typename remove_reference<T>::type> {};
template <class T> struct remove_pointer : type_identity<T> {};
template <class T> struct remove_pointer<T *> : type_identity<T> {};
template <class T> struct remove_pointer<T *const> : type_identity<T> {};
template <class T> struct remove_extent : type_identity<T> {};
template <class T> struct remove_extent<T[]> : type_identity<T> {};
template <class T, decltype(sizeof(0)) n> struct remove_extent<T[n]> : type_identity<T> {};
template <class T> struct add_const : type_identity<const T> {};
template <class T> struct add_volatile : type_identity<volatile T> {};
template <class T> struct add_pointer : type_identity<typename remove_reference<T>::type *> {};
template <class T> struct add_lvalue_reference : type_identity<T &> {};
template <class T> struct add_rvalue_reference : type_identity<T &&> {};
template <class T> __host__ __device__ typename add_rvalue_reference<T>::type declval() noexcept;

template <class A, class B> struct is_same : false_type {};
template <class T> struct is_same<T, T> : true_type {};
template <class T, class... Any> struct wl_among : bool_constant<(is_same<typename remove_cv<T>::type, Any>::value || ...)> {};
template <class T> struct is_void : wl_among<T, void> {};
template <class T> struct is_null_pointer : wl_among<T, decltype(nullptr)> {};
template <class T> struct is_integral : wl_among<T, bool, char, signed char, unsigned char, wchar_t, char16_t, char32_t, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long> {};
template <class T> struct is_floating_point : wl_among<T, float, double> {};
template <class T> struct is_arithmetic : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_volatile : false_type {};
template <class T> struct is_volatile<volatile T> : true_type {};
template <class T> struct wl_is_pointer : false_type {};
template <class T> struct wl_is_pointer<T *> : true_type {};
template <class T> struct is_pointer : wl_is_pointer<typename remove_cv<T>::type> {};
template <class T> struct is_lvalue_reference : false_type {};
template <class T> struct is_lvalue_reference<T &> : true_type {};
template <class T> struct is_rvalue_reference : false_type {};
template <class T> struct is_rvalue_reference<T &&> : true_type {};
template <class T> struct is_reference : bool_constant<is_lvalue_reference<T>::value || is_rvalue_reference<T>::value> {};
template <class T> struct is_array : false_type {};
template <class T> struct is_array<T[]> : true_type {};
template <class T, decltype(sizeof(0)) n> struct is_array<T[n]> : true_type {};
template <class T, bool number = is_arithmetic<T>::value> struct wl_is_signed : false_type {};
template <class T> struct wl_is_signed<T, true> : bool_constant<(T(-1) < T(0))> {};
template <class T> struct is_signed : wl_is_signed<typename remove_cv<T>::type> {};
template <class T> struct is_unsigned : bool_constant<is_arithmetic<T>::value && !is_signed<T>::value> {};

/* Those that only the compiler knows. */
template <class T> struct is_enum : bool_constant<__is_enum(T)> {};
template <class T> struct is_class : bool_constant<__is_class(T)> {};
template <class T> struct is_union : bool_constant<__is_union(T)> {};
template <class T> struct is_empty : bool_constant<__is_empty(T)> {};
template <class T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template <class B, class D> struct is_base_of : bool_constant<__is_base_of(B, D)> {};
template <class T, class... A> struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <class T> struct is_default_constructible : is_constructible<T> {};
template <class T> struct underlying_type : type_identity<__underlying_type(T)> {};

/* void, arrays and functions as targets are left out. An int goes to the first of two tests, if that is possible. */
template <class From, class To> struct is_convertible {
  static __host__ __device__ void wl_take(To);
  template <class F, class = decltype(wl_take(declval<F>()))> static __host__ __device__ true_type wl_test(int);
  template <class F> static __host__ __device__ false_type wl_test(long);
  static constexpr bool value = decltype(wl_test<From>(0))::value;
};
template <class F, class... A> struct wl_result {
  template <class G> static __host__ __device__ type_identity<decltype(declval<G>()(declval<A>()...))> test(int);
  template <class G> static __host__ __device__ type_identity<void> test(long);
  using type = typename decltype(test<F>(0))::type;
};
template <class F, class... A> struct invoke_result : wl_result<F, A...> {};

template <class... B> struct conjunction : bool_constant<(bool(B::value) && ...)> {};
template <class... B> struct disjunction : bool_constant<(bool(B::value) || ...)> {};
template <class B> struct negation : bool_constant<!bool(B::value)> {};

template <class T> struct decay : remove_cv<typename remove_reference<T>::type> {};
template <class T> struct decay<T[]> : type_identity<T *> {};
template <class T, decltype(sizeof(0)) n> struct decay<T[n]> : type_identity<T *> {};
template <class T, decltype(sizeof(0)) n> struct decay<T (&)[n]> : type_identity<T *> {};

template <class T> struct make_unsigned {};
template <class T> struct make_signed {};
#define WL_SIGNS(S, U)                                              \
  template <> struct make_unsigned<S> : type_identity<U> {};       \
  template <> struct make_unsigned<U> : type_identity<U> {};       \
  template <> struct make_signed<S> : type_identity<S> {};         \
  template <> struct make_signed<U> : type_identity<S> {};
WL_SIGNS(signed char, unsigned char)
WL_SIGNS(short, unsigned short)
WL_SIGNS(int, unsigned)
WL_SIGNS(long, unsigned long)
WL_SIGNS(long long, unsigned long long)
#undef WL_SIGNS
template <> struct make_unsigned<char> : type_identity<unsigned char> {};
template <> struct make_signed<char> : type_identity<signed char> {};

/* ---- <limits> ---- */
template <class T> struct wl_no_limits {
  static constexpr bool is_specialized = false, is_signed = false, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = false, has_quiet_NaN = false;
  static constexpr int digits = 0, digits10 = 0, radix = 0;
  static __host__ __device__ constexpr T min() noexcept { return T(); }
  static __host__ __device__ constexpr T max() noexcept { return T(); }
  static __host__ __device__ constexpr T lowest() noexcept { return T(); }
};
template <class T> struct wl_integer_limits : wl_no_limits<T> {
  static constexpr bool is_specialized = true, is_integer = true, is_exact = true, is_signed = wl_std::is_signed<T>::value;
  static constexpr int digits = (is_same<T, bool>::value ? 1 : (int)sizeof(T) * 8 - is_signed), digits10 = digits * 30103 / 100000, radix = 2;
  static __host__ __device__ constexpr T max() noexcept { return T(~0ull >> (64 - digits)); }
  static __host__ __device__ constexpr T min() noexcept { return is_signed ? T(-max() - 1) : T(0); }
  static __host__ __device__ constexpr T lowest() noexcept { return min(); }
  static __host__ __device__ constexpr T epsilon() noexcept { return T(0); }
};
template <class T, bool integer = is_integral<T>::value> struct wl_limits : wl_no_limits<T> {};
template <class T> struct wl_limits<T, true> : wl_integer_limits<T> {};
template <class T> struct numeric_limits : wl_limits<T> {};
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
#define WL_FLOAT_LIMITS(T, bits, least, most, step, exponent, tens, huge, nan, tiny)                            \
  template <> struct numeric_limits<T> : wl_no_limits<T> {                                                      \
    static constexpr bool is_specialized = true, is_signed = true, has_infinity = true, has_quiet_NaN = true;   \
    static constexpr int digits = bits, digits10 = tens, radix = 2, max_exponent = exponent;                    \
    static __host__ __device__ constexpr T min() noexcept { return least; }                                     \
    static __host__ __device__ constexpr T max() noexcept { return most; }                                      \
    static __host__ __device__ constexpr T lowest() noexcept { return -most; }                                  \
    static __host__ __device__ constexpr T epsilon() noexcept { return step; }                                  \
    static __host__ __device__ constexpr T denorm_min() noexcept { return tiny; }                               \
    static __host__ __device__ constexpr T infinity() noexcept { return huge; }                                 \
    static __host__ __device__ constexpr T quiet_NaN() noexcept { return nan; }                                 \
  };
WL_FLOAT_LIMITS(float, 24, 1.17549435e-38f, 3.40282347e+38f, 1.1920929e-07f, 128, 6, __builtin_bit_cast(float, 0x7f800000), __builtin_bit_cast(float, 0x7fc00000), 1.40129846e-45f)
WL_FLOAT_LIMITS(double, 53, 2.2250738585072014e-308, 1.7976931348623157e+308, 2.2204460492503131e-16, 1024, 15, __builtin_bit_cast(double, 0x7ff0000000000000), __builtin_bit_cast(double, 0x7ff8000000000000), 4.9406564584124654e-324)
#undef WL_FLOAT_LIMITS

/* ---- the short names ---- */
#define WL_TYPE(name) template <class T> using name##_t = typename name<T>::type;
WL_TYPE(remove_const) WL_TYPE(remove_volatile) WL_TYPE(remove_cv) WL_TYPE(remove_reference) WL_TYPE(remove_cvref)
WL_TYPE(remove_pointer) WL_TYPE(remove_extent) WL_TYPE(add_const) WL_TYPE(add_volatile) WL_TYPE(add_pointer)
WL_TYPE(add_lvalue_reference) WL_TYPE(add_rvalue_reference) WL_TYPE(decay) WL_TYPE(make_signed) WL_TYPE(make_unsigned)
WL_TYPE(underlying_type) WL_TYPE(type_identity)
#undef WL_TYPE
template <bool c, class A, class B> using conditional_t = typename conditional<c, A, B>::type;
template <bool c, class T = void> using enable_if_t = typename enable_if<c, T>::type;
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
#define WL_VALUE(name) template <class T> inline constexpr bool name##_v = name<T>::value;
#define WL_VALUE_2(name) template <class A, class B> inline constexpr bool name##_v = name<A, B>::value;
WL_VALUE(is_void) WL_VALUE(is_null_pointer) WL_VALUE(is_integral) WL_VALUE(is_floating_point) WL_VALUE(is_arithmetic)
WL_VALUE(is_const) WL_VALUE(is_volatile) WL_VALUE(is_pointer) WL_VALUE(is_lvalue_reference) WL_VALUE(is_rvalue_reference)
WL_VALUE(is_reference) WL_VALUE(is_array) WL_VALUE(is_signed) WL_VALUE(is_unsigned) WL_VALUE(is_enum) WL_VALUE(is_class)
WL_VALUE(is_union) WL_VALUE(is_empty) WL_VALUE(is_trivially_copyable) WL_VALUE(is_default_constructible) WL_VALUE(negation)
WL_VALUE_2(is_same) WL_VALUE_2(is_base_of) WL_VALUE_2(is_convertible)
template <class T, class... A> inline constexpr bool is_constructible_v = is_constructible<T, A...>::value;
template <class... B> inline constexpr bool conjunction_v = conjunction<B...>::value;
template <class... B> inline constexpr bool disjunction_v = disjunction<B...>::value;
#undef WL_VALUE
#undef WL_VALUE_2
} // namespace wl_std

namespace cuda {
namespace std {
using namespace wl_std;
}
} // namespace cuda
namespace std {
using namespace wl_std;
}
#endif
