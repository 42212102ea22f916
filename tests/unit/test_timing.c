/* test_timing.c - the cost model: small kernels whose time can be added up by hand. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "vm/vm.h"

struct world {
  struct arena arena;
  struct vm_machine *m;
  struct vm_counters c;
  struct vm_time_line t;
  const struct ptx_func *kernel;
  u64 buffer; /* 64 Ki zeroed words */
};
enum { WORDS = 1 << 16 };

static void open_with(struct world *w, const char *body, struct vm_config config) {
  struct ptx_module *module = NULL;
  struct diag why = {0};
  memset(w, 0, sizeof *w);
  const char *text = arena_printf(
      &w->arena,
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 at)\n{\n"
      ".reg .pred %%p<8>;\n.reg .b32 %%r<8>;\n.reg .b64 %%d<8>;\n.shared .b32 s[1024];\n"
      "mov.u32 %%r0, %%tid.x;\nld.param.u64 %%d0, [at];\n%s\nret;\n}\n",
      body);
  ck_assert_msg(ptx_parse(&w->arena, str_of(text), &module, &why), "%u: %s", why.line, why.text);
  w->kernel = &module->funcs[0];
  config.schedule = VM_TIMED;
  ck_assert_msg(vm_create(module, &config, &w->m, &why), "%s", why.text);
  w->buffer = vm_alloc(w->m, "buffer", WORDS * 4, 4, &why);
  u8 *zeros = calloc(WORDS, 4);
  ck_assert(w->buffer && vm_write(w->m, w->buffer, zeros, WORDS * 4, &why));
  free(zeros);
}
static void launch(struct world *w, u32 blocks, u32 threads) {
  struct diag why = {0};
  struct vm_launch l = {.kernel = w->kernel,
                        .grid = {blocks},
                        .block = {threads},
                        .params = (const u8 *)&w->buffer,
                        .param_bytes = sizeof w->buffer};
  ck_assert_int_eq(vm_run(w->m, &l, &w->c, &why), VM_DONE);
  ck_assert(vm_timing_of(w->m, &w->t));
  ck_assert_uint_eq(w->t.makespan, w->c.makespan);
}
static void run(struct world *w, const char *body, u32 blocks, u32 threads) {
  open_with(w, body, (struct vm_config){0});
  launch(w, blocks, threads);
}
static void done(struct world *w) {
  vm_destroy(w->m);
  arena_free(&w->arena);
}
/* Every kernel begins with two instructions and ends with `ret`. */
enum { A = 4, AROUND = 3 * A, SHARED = 30, GLOBAL = 400 };

START_TEST(arithmetic) {
  struct world w;
  run(&w, "add.u32 %r1, %r0, 1;\nadd.u32 %r1, %r1, 1;", 1, 32);
  ck_assert_uint_eq(w.c.makespan, AROUND + 2 * A);
  ck_assert_uint_eq(w.c.worked_warp_cycles, AROUND + 2 * A);
  ck_assert_uint_eq(w.c.resident_warp_cycles, AROUND + 2 * A);
  ck_assert_uint_eq(w.c.idle_sm_cycles, 3 * w.c.makespan); /* of four SMs one has the block */
  done(&w);
}
END_TEST

#define LANE "mul.wide.u32 %d1, %r0, 4;\nadd.u64 %d1, %d0, %d1;\n"

START_TEST(loads) { /* four sectors: three more than one */
  struct world w;
  run(&w, LANE "ld.global.u32 %r1, [%d1];", 1, 32);
  ck_assert_uint_eq(w.c.makespan, AROUND + 2 * A + GLOBAL + 3);
  done(&w);
  run(&w, "ld.global.u32 %r1, [%d0];", 1, 32);
  ck_assert_uint_eq(w.c.makespan, AROUND + GLOBAL);
  done(&w);
  run(&w, "mul.wide.u32 %d1, %r0, 128;\nadd.u64 %d1, %d0, %d1;\nld.global.u32 %r1, [%d1];", 1, 32);
  ck_assert_uint_eq(w.c.makespan, AROUND + 2 * A + GLOBAL + 31);
  done(&w);
}
END_TEST

START_TEST(stores_do_not_wait) {
  struct world w;
  run(&w, LANE "st.global.u32 [%d1], %r0;", 1, 32);
  ck_assert_uint_eq(w.c.makespan, AROUND + 3 * A);
  done(&w);
}
END_TEST

START_TEST(bank_conflicts) {
  struct world w;
  run(&w,
      "mov.u32 %r2, s;\nmad.lo.u32 %r2, %r0, 128, %r2;\nst.shared.u32 [%r2], %r0;\n"
      "ld.shared.u32 %r3, [%r2];",
      1, 32);
  /* The store takes the memory path for 32 cycles; the load comes 4 behind it and takes 32. */
  ck_assert_uint_eq(w.c.shared_load_wavefronts, 32);
  ck_assert_uint_eq(w.c.makespan, AROUND + 2 * A + 32 + 31 + SHARED);
  done(&w);
}
END_TEST

START_TEST(bytes_and_fences) {
  struct world w;
  run(&w,
      "fence.acq_rel.gpu;\n" LANE
      "ld.global.u32 %r1, [%d1];\nfence.acq_rel.gpu;\nfence.acq_rel.gpu;\n"
      "st.global.u32 [%d1], %r1;\nfence.acq_rel.gpu;",
      2, 48);
  ck_assert_uint_eq(w.c.fences, 4 * 4);
  ck_assert_uint_eq(w.c.redundant_fences, 2 * 4); /* the first and the third, of four warps */
  ck_assert_uint_eq(w.c.global_load_bytes, 2 * 48 * 4);
  ck_assert_uint_eq(w.c.global_store_bytes, 2 * 48 * 4);
  done(&w);
}
END_TEST

START_TEST(ports) { /* nine warps, four ports: one port has three of them, a cycle each */
  struct world w;
  run(&w, "", 1, 9 * 32);
  ck_assert_uint_eq(w.c.makespan, AROUND + 2 * 3);
  done(&w);
}
END_TEST

START_TEST(memory_hides_behind_warps) { /* eight warps wait together, not one after the other */
  struct world w;
  run(&w, LANE "ld.global.u32 %r1, [%d1];", 1, 8 * 32);
  ck_assert_uint_ge(w.c.makespan, AROUND + GLOBAL);
  ck_assert_uint_le(w.c.makespan, AROUND + GLOBAL + 60);
  done(&w);
}
END_TEST

START_TEST(contention) {
  struct world one, many;
  run(&one, "atom.global.add.u32 %r1, [%d0], 1;", 1, 32);
  ck_assert_uint_eq(one.c.global_atomic_requests, 1);
  ck_assert_uint_eq(one.c.global_atomic_transactions, 32);
  run(&many, LANE "atom.global.add.u32 %r1, [%d1], 1;", 1, 32);
  ck_assert_uint_eq(many.c.global_atomic_transactions, 4);
  ck_assert_uint_eq(one.c.makespan, AROUND + 500 + 32 * 4);
  ck_assert_uint_eq(many.c.makespan, AROUND + 2 * A + 500 + 4 * 4);
  done(&one);
  done(&many);
  run(&one, "atom.global.add.u32 %r1, [%d0], 1;", 8, 32); /* from every SM to one address */
  ck_assert_uint_eq(one.c.makespan, AROUND + 500 + 8 * 32 * 4);
  done(&one);
  run(&one, "red.global.add.u32 [%d0], 1;", 1, 32); /* nobody waits for the result */
  ck_assert_uint_eq(one.c.makespan, AROUND + A);
  done(&one);
}
END_TEST

START_TEST(barrier_waits_for_the_last) { /* warp 1 loads, warp 0 does not */
  struct world w;
  run(&w, "setp.lt.u32 %p1, %r0, 32;\n@%p1 bra B;\nld.global.u32 %r1, [%d0];\nB: bar.sync 0;", 1,
      64);
  ck_assert_uint_ge(w.c.makespan, AROUND + GLOBAL + 20);
  ck_assert_uint_le(w.c.makespan, AROUND + GLOBAL + 20 + 8 * A);
  ck_assert_uint_lt(w.c.worked_warp_cycles, w.c.makespan + 100); /* warp 0 waits at the barrier */
  done(&w);
}
END_TEST

/* Block b works b * 100 rounds. */
static const char ramp[] = "mov.u32 %r1, %ctaid.x;\nmul.lo.u32 %r1, %r1, 100;\n"
                           "L: setp.eq.u32 %p1, %r1, 0;\n@%p1 bra E;\nsub.u32 %r1, %r1, 1;\n"
                           "bra L;\nE:\n";

START_TEST(idle_tail) {
  struct world w;
  run(&w, ramp, 4, 32);
  for (u32 s = 0; s + 1 < 4; s++) ck_assert_uint_lt(w.t.sm[s].worked, w.t.sm[s + 1].worked);
  ck_assert_uint_eq(w.t.sm[3].worked, w.c.makespan);
  u64 idle = 0;
  for (u32 s = 0; s < 4; s++) idle += w.c.makespan - w.t.sm[s].worked;
  ck_assert_uint_eq(idle, w.c.idle_sm_cycles);
  ck_assert_uint_eq(w.t.sm[1].percent[0], 100);
  ck_assert_uint_eq(w.t.sm[1].percent[(w.c.makespan - 1) / w.t.bucket_cycles], 0);
  done(&w);
}
END_TEST

START_TEST(sizes_of_the_gpu) { /* the work is the same, the time is not */
  static const u32 sms[] = {1, 2, 8, 16};
  u64 worked = 0, last = ~0ull;
  for (u32 i = 0; i < COUNT_OF(sms); i++) {
    struct world w;
    open_with(&w, ramp, (struct vm_config){0});
    vm_resize(w.m, sms[i], 1);
    launch(&w, 16, 32);
    ck_assert_uint_eq(w.t.sm_count, sms[i]);
    if (worked) ck_assert_uint_eq(w.c.worked_warp_cycles, worked);
    worked = w.c.worked_warp_cycles;
    ck_assert_uint_lt(w.c.makespan, last);
    last = w.c.makespan;
    if (sms[i] == 1) ck_assert_uint_eq(w.c.makespan, worked);
    done(&w);
  }
}
END_TEST

START_TEST(clock_is_virtual_time) {
  struct world w;
  struct diag why = {0};
  u32 got[2] = {0};
  run(&w,
      "mov.u32 %r1, %clock;\nld.global.u32 %r3, [%d0];\nmov.u32 %r2, %clock;\n"
      "sub.u32 %r2, %r2, %r1;\nst.global.u32 [%d0+4], %r2;",
      1, 1);
  ck_assert(vm_read(w.m, w.buffer, got, sizeof got, &why));
  ck_assert_uint_eq(got[1], A + GLOBAL);
  done(&w);
}
END_TEST

START_TEST(costs_can_be_set) {
  struct vm_config config = {0};
  struct world w;
  ck_assert(vm_cost_set(&config.cost, STR("global"), 1000));
  ck_assert(vm_cost_set(&config.cost, STR("arithmetic"), 10));
  ck_assert(!vm_cost_set(&config.cost, STR("nosuch"), 10));
  ck_assert(!vm_cost_set(&config.cost, STR("global"), 0));
  ck_assert(!vm_cost_set(&config.cost, STR("ports"), 17));
  open_with(&w, "ld.global.u32 %r1, [%d0];", config);
  launch(&w, 1, 32);
  ck_assert_uint_eq(w.c.makespan, 3 * 10 + 1000);
  done(&w);
  for (u32 i = 0; vm_cost_name(i); i++)
    ck_assert(vm_cost_set(&config.cost, str_of(vm_cost_name(i)), 1));
}
END_TEST

START_TEST(only_when_timed) {
  struct world w;
  run(&w, "", 1, 32);
  struct vm_machine *plain = NULL;
  struct diag why = {0};
  struct vm_config config = {0};
  struct ptx_module *module = NULL;
  ck_assert(ptx_parse(&w.arena,
                      STR(".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{ ret; }\n"),
                      &module, &why));
  ck_assert(vm_create(module, &config, &plain, &why));
  struct vm_launch l = {.kernel = &module->funcs[0]};
  ck_assert_int_eq(vm_run(plain, &l, &w.c, &why), VM_DONE);
  ck_assert(!vm_timing_of(plain, &w.t));
  ck_assert_uint_eq(w.c.makespan, 0);
  vm_destroy(plain);
  done(&w);
}
END_TEST

Suite *suite_timing(void);
Suite *suite_timing(void) {
  const TTest *const tests[] = {
      arithmetic,
      loads,
      stores_do_not_wait,
      bank_conflicts,
      bytes_and_fences,
      ports,
      memory_hides_behind_warps,
      contention,
      barrier_waits_for_the_last,
      idle_tail,
      sizes_of_the_gpu,
      clock_is_virtual_time,
      costs_can_be_set,
      only_when_timed,
  };
  Suite *suite = suite_create("timing");
  TCase *t = tcase_create("timing");
  for (u32 i = 0; i < COUNT_OF(tests); i++) tcase_add_test(t, tests[i]);
  suite_add_tcase(suite, t);
  return suite;
}
