// Every member of cuda::atomic_ref with every order, in every scope. See tests/unit/test_stand_ins.c.
#include <cuda/atomic>
using namespace cuda;
template <class A> __device__ void members(A a, int *o) {
  using T = typename A::value_type;
  a.store(1, memory_order_relaxed);
  a.store(2, memory_order_release);
  a.store(3);
  o[0] = a.load(memory_order_relaxed);
  o[1] = a.load(memory_order_acquire);
  o[2] = a.load();
  o[3] = a.exchange(4, memory_order_relaxed);
  o[4] = a.exchange(5, memory_order_acquire);
  o[5] = a.exchange(6, memory_order_release);
  o[6] = a.exchange(7, memory_order_acq_rel);
  o[7] = a.exchange(8);
  T e = 8;
  o[8] = a.compare_exchange_strong(e, 9);
  e = 1;
  o[9] = a.compare_exchange_weak(e, 3, memory_order_release, memory_order_relaxed);
  o[10] = e;
  o[11] = a.compare_exchange_strong(e, 10, memory_order_release, memory_order_acquire);
  o[12] = a.compare_exchange_strong(e, 10, memory_order_relaxed);
  o[13] = a.compare_exchange_strong(e, 10, memory_order_acq_rel);
  o[14] = a.fetch_add(3, memory_order_relaxed);
  o[15] = a.fetch_add(3, memory_order_release);
  o[16] = a.fetch_add(3);
  o[17] = a.fetch_sub(2, memory_order_acquire);
  o[18] = a.fetch_min(5);
  o[19] = a.fetch_max(50, memory_order_acq_rel);
  o[20] = a++;
  o[21] = ++a;
  o[22] = a--;
  o[23] = --a;
  o[24] = a += 4;
  o[25] = a -= 3;
  o[26] = (T)a;
  a = 77;
}
template <class A> __device__ void bits(A a, int *o) {
  o[0] = a.fetch_and(0x5f, memory_order_relaxed);
  o[1] = a.fetch_or(0x100, memory_order_acq_rel);
  o[2] = a.fetch_xor(3);
  o[3] = a &= 0x1f1;
  o[4] = a |= 2;
  o[5] = a ^= 8;
}
__global__ void i32(int *p, int *o) {
  members(atomic_ref<int, thread_scope_device>(*p), o);
  bits(atomic_ref<int, thread_scope_block>(*p), o + 30);
}
__global__ void u32(unsigned *p, int *o) {
  members(atomic_ref<unsigned, thread_scope_block>(*p), o);
  bits(atomic_ref<unsigned, thread_scope_system>(*p), o + 30);
}
__global__ void u64(unsigned long long *p, int *o) {
  members(atomic_ref<unsigned long long, thread_scope_system>(*p), o);
  bits(atomic_ref<unsigned long long, thread_scope_device>(*p), o + 30);
}
__global__ void i64(long long *p, int *o) {
  members(atomic_ref<long long>(*p), o);
  bits(atomic_ref<long long, thread_scope_thread>(*p), o + 30);
}
__global__ void f32(float *p, int *o) { members(atomic_ref<float, thread_scope_device>(*p), o); }
__global__ void f64(double *p, int *o) { members(atomic_ref<double, thread_scope_block>(*p), o); }
// Without fetch_add: NVIDIA's adds to pointers in system scope whatever the scope, ours in the scope asked for.
__global__ void pointer(int **p, int *o) {
  atomic_ref<int *, thread_scope_device> a(*p);
  a.store(o, memory_order_release);
  int *e = o;
  a.compare_exchange_strong(e, o + 7, memory_order_acq_rel, memory_order_acquire);
}
__global__ void fences() {
  atomic_thread_fence(memory_order_relaxed, thread_scope_device);
  atomic_thread_fence(memory_order_acquire, thread_scope_block);
  atomic_thread_fence(memory_order_release, thread_scope_device);
  atomic_thread_fence(memory_order_seq_cst, thread_scope_device);
  cuda::std::atomic_thread_fence(memory_order_acq_rel);
}
