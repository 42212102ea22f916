// The pipeline of one thread, and the one of a block. See tests/unit/test_stand_ins.c.
#include <cooperative_groups.h>
#include <cuda/pipeline>
using namespace cuda;
namespace cg = cooperative_groups;
__global__ void of_one_thread(const int *g, int *o) {
  __shared__ int s[64];
  auto p = make_pipeline();
  for (int i = 0; i < 3; i++) {
    p.producer_acquire();
    memcpy_async(s + threadIdx.x + i, g, 4, p);
    p.producer_commit();
  }
  pipeline_consumer_wait_prior<1>(p);
  p.consumer_wait();
  o[0] = s[threadIdx.x];
  p.consumer_release();
}
__global__ void of_a_block(const int *g, int *o) {
  __shared__ pipeline_shared_state<thread_scope_block, 2> state;
  __shared__ int s[64];
  auto b = cg::this_thread_block();
  auto p = make_pipeline(b, &state);
  p.producer_acquire();
  memcpy_async(b, s, g, 256, p);
  p.producer_commit();
  p.consumer_wait();
  o[0] = s[0];
  p.consumer_release();
}
__global__ void by_role(const int *g, int *o) {
  __shared__ pipeline_shared_state<thread_scope_block, 2> state;
  __shared__ int s[64];
  auto b = cg::this_thread_block();
  auto p = make_pipeline(b, &state, threadIdx.x < 32 ? pipeline_role::producer : pipeline_role::consumer);
  if (threadIdx.x < 32) {
    p.producer_acquire();
    memcpy_async(s + threadIdx.x, g, 4, p);
    p.producer_commit();
  } else {
    p.consumer_wait();
    o[0] = s[0];
    p.consumer_release();
  }
}
