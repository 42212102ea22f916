/* cuda_pipeline.h - <cuda/pipeline>: a ring of stages, each with one barrier for "produced" and one for "consumed";
 * or, for one thread alone, the groups of its asynchronous copies. */
#ifndef WARPLINGS_CUDA_PIPELINE
#define WARPLINGS_CUDA_PIPELINE
#include "warplings/cuda_copy.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

namespace wl {
template <thread_scope S> struct stage { barrier<S> produced, consumed; };
} // namespace wl

template <thread_scope S, std::uint8_t count> class pipeline_shared_state {
public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state &) = delete;
  pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;
  wl::stage<S> wl_stages[count];
  atomic<std::uint32_t, S> wl_users;
};

template <thread_scope S> class pipeline {
  wl::stage<S> *stages;
  atomic<std::uint32_t, S> *users;
  std::uint8_t count, head = 0, tail = 0;
  bool consumed_parity = true, produced_parity = false, active = true;

public:
  WL_MEMBER pipeline(wl::stage<S> *s, atomic<std::uint32_t, S> *u, std::uint8_t n) : stages(s), users(u), count(n) {}
  pipeline(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  WL_MEMBER ~pipeline() {
    if (active) quit();
  }
  /* The last to leave takes the barriers down. Lanes that leave together subtract together. */
  WL_MEMBER bool quit() {
    const unsigned same = __match_any_sync(__activemask(), (wl_u64)users), leader = (unsigned)__ffs((int)same) - 1, n = (unsigned)__popc(same);
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    bool last = false;
    if (lane == leader && users->fetch_sub(n) == n) {
      for (unsigned i = 0; i < count; i++) {
        stages[i].produced.wl_end();
        stages[i].consumed.wl_end();
      }
      last = true;
    }
    active = false;
    return last;
  }
  WL_MEMBER void producer_acquire() { stages[head].consumed.wait_parity(consumed_parity); }
  WL_MEMBER void producer_commit() {
    wl::hold(stages[head].produced, wl::BY_GROUP, true, 0);
    (void)stages[head].produced.arrive();
    if (++head < count) return;
    head = 0;
    consumed_parity = !consumed_parity;
  }
  WL_MEMBER void consumer_wait() { stages[tail].produced.wait_parity(produced_parity); }
  WL_MEMBER void consumer_release() {
    (void)stages[tail].consumed.arrive();
    if (++tail < count) return;
    tail = 0;
    produced_parity = !produced_parity;
  }
};

template <> class pipeline<thread_scope_thread> {
  std::uint8_t head = 0, tail = 0;

public:
  pipeline() = default;
  pipeline(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  WL_MEMBER bool quit() { return true; }
  WL_MEMBER void producer_acquire() {}
  WL_MEMBER void producer_commit() {
    wl::copy_commit();
    head++;
  }
  WL_MEMBER void consumer_wait() {
    if (head == tail) return;
    wl_wait_prior((std::uint8_t)(head - tail - 1));
    tail++;
  }
  WL_MEMBER void consumer_release() {}
  WL_MEMBER void wl_wait_prior(unsigned others) {
    switch (others) {
    case 0: wl::copy_wait<0>(); break;
    case 1: wl::copy_wait<1>(); break;
    case 2: wl::copy_wait<2>(); break;
    case 3: wl::copy_wait<3>(); break;
    case 4: wl::copy_wait<4>(); break;
    case 5: wl::copy_wait<5>(); break;
    case 6: wl::copy_wait<6>(); break;
    case 7: wl::copy_wait<7>(); break;
    default: wl::copy_wait<8>();
    }
  }
};

WL_FN pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }

template <std::uint8_t others> WL_FN void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) { wl::copy_wait<(others < 8 ? others : 8)>(); }
template <thread_scope S> WL_FN void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<S> &b) { wl::hold(b, wl::BY_GROUP, true, 0); }

namespace wl {
template <thread_scope S, std::uint8_t count> WL_FN void set_up(pipeline_shared_state<S, count> *s, std::size_t all, std::size_t producers, std::size_t consumers) {
  for (unsigned i = 0; i < count; i++) {
    init(&s->wl_stages[i].consumed, (std::ptrdiff_t)consumers);
    init(&s->wl_stages[i].produced, (std::ptrdiff_t)producers);
  }
  s->wl_users.store((std::uint32_t)all, memory_order_relaxed);
}
} // namespace wl

template <class Group, thread_scope S, std::uint8_t count> WL_FN pipeline<S> make_pipeline(const Group &g, pipeline_shared_state<S, count> *s) {
  if (g.thread_rank() == 0) wl::set_up(s, g.size(), g.size(), g.size());
  g.sync();
  return pipeline<S>(s->wl_stages, &s->wl_users, count);
}
template <class Group, thread_scope S, std::uint8_t count> WL_FN pipeline<S> make_pipeline(const Group &g, pipeline_shared_state<S, count> *s, std::size_t producers) {
  if (g.thread_rank() == 0) wl::set_up(s, g.size(), producers, g.size() - producers);
  g.sync();
  return pipeline<S>(s->wl_stages, &s->wl_users, count);
}
template <class Group, thread_scope S, std::uint8_t count> WL_FN pipeline<S> make_pipeline(const Group &g, pipeline_shared_state<S, count> *s, pipeline_role role) {
  if (g.thread_rank() == 0) s->wl_users.store(0, memory_order_relaxed);
  g.sync();
  if (role == pipeline_role::producer) s->wl_users.fetch_add(1, memory_order_relaxed);
  g.sync();
  if (g.thread_rank() == 0) {
    std::size_t producers = s->wl_users.load(memory_order_relaxed);
    wl::set_up(s, g.size(), producers, g.size() - producers);
  }
  g.sync();
  return pipeline<S>(s->wl_stages, &s->wl_users, count);
}

} // namespace cuda
#endif
