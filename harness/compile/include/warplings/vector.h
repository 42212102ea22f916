/* vector.h - int2, float4 and the like with their make_ functions, dim3, and threadIdx and its siblings.
 * Alignments are CUDA's: pairs and quadruples up to 16 bytes, triples as their element. */
#pragma once

struct char1 { signed char x; };
struct alignas(2) char2 { signed char x, y; };
struct char3 { signed char x, y, z; };
struct alignas(4) char4 { signed char x, y, z, w; };
struct uchar1 { unsigned char x; };
struct alignas(2) uchar2 { unsigned char x, y; };
struct uchar3 { unsigned char x, y, z; };
struct alignas(4) uchar4 { unsigned char x, y, z, w; };
struct short1 { short x; };
struct alignas(4) short2 { short x, y; };
struct short3 { short x, y, z; };
struct alignas(8) short4 { short x, y, z, w; };
struct ushort1 { unsigned short x; };
struct alignas(4) ushort2 { unsigned short x, y; };
struct ushort3 { unsigned short x, y, z; };
struct alignas(8) ushort4 { unsigned short x, y, z, w; };
struct int1 { int x; };
struct alignas(8) int2 { int x, y; };
struct int3 { int x, y, z; };
struct alignas(16) int4 { int x, y, z, w; };
struct uint1 { unsigned int x; };
struct alignas(8) uint2 { unsigned int x, y; };
struct uint3 { unsigned int x, y, z; };
struct alignas(16) uint4 { unsigned int x, y, z, w; };
struct long1 { long x; };
struct alignas(16) long2 { long x, y; };
struct long3 { long x, y, z; };
struct alignas(16) long4 { long x, y, z, w; };
struct ulong1 { unsigned long x; };
struct alignas(16) ulong2 { unsigned long x, y; };
struct ulong3 { unsigned long x, y, z; };
struct alignas(16) ulong4 { unsigned long x, y, z, w; };
struct longlong1 { long long x; };
struct alignas(16) longlong2 { long long x, y; };
struct longlong3 { long long x, y, z; };
struct alignas(16) longlong4 { long long x, y, z, w; };
struct ulonglong1 { unsigned long long x; };
struct alignas(16) ulonglong2 { unsigned long long x, y; };
struct ulonglong3 { unsigned long long x, y, z; };
struct alignas(16) ulonglong4 { unsigned long long x, y, z, w; };
struct float1 { float x; };
struct alignas(8) float2 { float x, y; };
struct float3 { float x, y, z; };
struct alignas(16) float4 { float x, y, z, w; };
struct double1 { double x; };
struct alignas(16) double2 { double x, y; };
struct double3 { double x, y, z; };
struct alignas(16) double4 { double x, y, z, w; };

WL_FN char1 make_char1(signed char x) { return char1{x}; }
WL_FN char2 make_char2(signed char x, signed char y) { return char2{x, y}; }
WL_FN char3 make_char3(signed char x, signed char y, signed char z) { return char3{x, y, z}; }
WL_FN char4 make_char4(signed char x, signed char y, signed char z, signed char w) { return char4{x, y, z, w}; }
WL_FN uchar1 make_uchar1(unsigned char x) { return uchar1{x}; }
WL_FN uchar2 make_uchar2(unsigned char x, unsigned char y) { return uchar2{x, y}; }
WL_FN uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) { return uchar3{x, y, z}; }
WL_FN uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) { return uchar4{x, y, z, w}; }
WL_FN short1 make_short1(short x) { return short1{x}; }
WL_FN short2 make_short2(short x, short y) { return short2{x, y}; }
WL_FN short3 make_short3(short x, short y, short z) { return short3{x, y, z}; }
WL_FN short4 make_short4(short x, short y, short z, short w) { return short4{x, y, z, w}; }
WL_FN ushort1 make_ushort1(unsigned short x) { return ushort1{x}; }
WL_FN ushort2 make_ushort2(unsigned short x, unsigned short y) { return ushort2{x, y}; }
WL_FN ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) { return ushort3{x, y, z}; }
WL_FN ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) { return ushort4{x, y, z, w}; }
WL_FN int1 make_int1(int x) { return int1{x}; }
WL_FN int2 make_int2(int x, int y) { return int2{x, y}; }
WL_FN int3 make_int3(int x, int y, int z) { return int3{x, y, z}; }
WL_FN int4 make_int4(int x, int y, int z, int w) { return int4{x, y, z, w}; }
WL_FN uint1 make_uint1(unsigned int x) { return uint1{x}; }
WL_FN uint2 make_uint2(unsigned int x, unsigned int y) { return uint2{x, y}; }
WL_FN uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) { return uint3{x, y, z}; }
WL_FN uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) { return uint4{x, y, z, w}; }
WL_FN long1 make_long1(long x) { return long1{x}; }
WL_FN long2 make_long2(long x, long y) { return long2{x, y}; }
WL_FN long3 make_long3(long x, long y, long z) { return long3{x, y, z}; }
WL_FN long4 make_long4(long x, long y, long z, long w) { return long4{x, y, z, w}; }
WL_FN ulong1 make_ulong1(unsigned long x) { return ulong1{x}; }
WL_FN ulong2 make_ulong2(unsigned long x, unsigned long y) { return ulong2{x, y}; }
WL_FN ulong3 make_ulong3(unsigned long x, unsigned long y, unsigned long z) { return ulong3{x, y, z}; }
WL_FN ulong4 make_ulong4(unsigned long x, unsigned long y, unsigned long z, unsigned long w) { return ulong4{x, y, z, w}; }
WL_FN longlong1 make_longlong1(long long x) { return longlong1{x}; }
WL_FN longlong2 make_longlong2(long long x, long long y) { return longlong2{x, y}; }
WL_FN longlong3 make_longlong3(long long x, long long y, long long z) { return longlong3{x, y, z}; }
WL_FN longlong4 make_longlong4(long long x, long long y, long long z, long long w) { return longlong4{x, y, z, w}; }
WL_FN ulonglong1 make_ulonglong1(unsigned long long x) { return ulonglong1{x}; }
WL_FN ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return ulonglong2{x, y}; }
WL_FN ulonglong3 make_ulonglong3(unsigned long long x, unsigned long long y, unsigned long long z) { return ulonglong3{x, y, z}; }
WL_FN ulonglong4 make_ulonglong4(unsigned long long x, unsigned long long y, unsigned long long z, unsigned long long w) { return ulonglong4{x, y, z, w}; }
WL_FN float1 make_float1(float x) { return float1{x}; }
WL_FN float2 make_float2(float x, float y) { return float2{x, y}; }
WL_FN float3 make_float3(float x, float y, float z) { return float3{x, y, z}; }
WL_FN float4 make_float4(float x, float y, float z, float w) { return float4{x, y, z, w}; }
WL_FN double1 make_double1(double x) { return double1{x}; }
WL_FN double2 make_double2(double x, double y) { return double2{x, y}; }
WL_FN double3 make_double3(double x, double y, double z) { return double3{x, y, z}; }
WL_FN double4 make_double4(double x, double y, double z, double w) { return double4{x, y, z, w}; }

struct dim3 {
  unsigned x, y, z;
  WL_MEMBER constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
  WL_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  WL_MEMBER constexpr operator uint3() const { return uint3{x, y, z}; }
};

/* Each read of threadIdx.x is a read of the special register: nothing is stored, nothing can be
 * assigned. The objects are constants, and only exist in the PTX when copied whole. */
#define WL_INDEX(register)                                                                         \
  __declspec(property(get = get_x)) unsigned x;                                                    \
  __declspec(property(get = get_y)) unsigned y;                                                    \
  __declspec(property(get = get_z)) unsigned z;                                                    \
  static WL_MEMBER unsigned get_x() { return __nvvm_read_ptx_sreg_##register##_x(); }              \
  static WL_MEMBER unsigned get_y() { return __nvvm_read_ptx_sreg_##register##_y(); }              \
  static WL_MEMBER unsigned get_z() { return __nvvm_read_ptx_sreg_##register##_z(); }              \
  WL_MEMBER operator uint3() const { return uint3{get_x(), get_y(), get_z()}; }                    \
  WL_MEMBER operator dim3() const { return dim3(get_x(), get_y(), get_z()); }
struct wl_thread_index { WL_INDEX(tid) };
struct wl_block_index { WL_INDEX(ctaid) };
struct wl_block_size { WL_INDEX(ntid) };
struct wl_grid_size { WL_INDEX(nctaid) };
static constexpr __device__ wl_thread_index threadIdx{};
static constexpr __device__ wl_block_index blockIdx{};
static constexpr __device__ wl_block_size blockDim{};
static constexpr __device__ wl_grid_size gridDim{};
static constexpr __device__ int warpSize = 32;
