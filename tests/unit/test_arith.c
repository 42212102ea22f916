/* test_arith.c - arithmetic instructions one by one: the tables of arith_*.c through the parser,
 * the decoder and the handlers, under full, partial and nearly empty masks, in place, and with
 * undefined operands. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "arith.h"
#include "vm/machine.h"

struct bench { /* a machine with one kernel, whose instructions are executed by hand */
  struct arena arena;
  struct vm_machine *m;
  struct vm_code *code;
  struct vm_exec x;
  struct vm_frame frame;
  u32 carry;
};

static void bench_open(struct bench *b, const char *body) {
  struct strbuf text = {0};
  strbuf_printf(
      &text,
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .pred %%p<8>;\n.reg .b16 %%h<8>;\n.reg .b32 %%r<8>;\n.reg .b64 %%d<8>;\n%sret;\n}\n",
      body);
  memset(b, 0, sizeof *b);
  struct ptx_module *module = NULL;
  struct diag why = {0};
  char *copy = arena_printf(&b->arena, "%.*s", (int)text.n, text.p);
  strbuf_free(&text);
  ck_assert_msg(ptx_parse(&b->arena, str_of(copy), &module, &why), "%u: %s", why.line, why.text);
  struct vm_config config = {0};
  ck_assert_msg(vm_create(module, &config, &b->m, &why), "%s", why.text);
  b->code = &b->m->codes[0];
  vm_decode(b->m, b->code);
  size_t bytes = (b->code->frame_bytes + 63u) & ~63u;
  u8 *slots = aligned_alloc(64, bytes);
  memset(slots, 0, bytes);
  b->x.base[0] = slots;
  b->x.base[1] = b->code->pool;
  b->x.carry = &b->carry;
  b->x.undefined = true;
  b->x.m = b->m;
  b->frame.code = b->code;
  b->x.frame = &b->frame;
}
static void bench_close(struct bench *b) {
  free(b->x.base[0]);
  vm_destroy(b->m);
  arena_free(&b->arena);
}
static void bench_run(struct bench *b, u32 index, u32 mask) {
  const struct vm_insn *in = &b->code->insns[b->code->index_of[index]];
  ck_assert_msg(in->fn != vm_op_unsupported, "%s",
                in->more ? (const char *)in->more : "unsupported");
  b->x.mask = b->x.group_mask = mask;
  for (u32 i = 0; i < VM_LANES; i++) b->x.lane_mask[i] = mask >> i & 1 ? VM_FULL : 0;
  in->fn(&b->x, in);
}

/* Registers by letter and number: %r3 is ('r', 3). */
static u8 *reg(struct bench *b, char kind, u32 number) {
  static const char kinds[] = "phrd";
  u32 first = (u32)(strchr(kinds, kind) - kinds) * 8;
  return vm_data(&b->x, b->code->reg_ref[first + number]);
}
static u64 get(const u8 *data, char kind, u32 lane) {
  u64 v = 0;
  if (kind == 'p') {
    memcpy(&v, data, 4);
    return v >> lane & 1;
  }
  size_t n = kind == 'h' ? 2 : kind == 'r' ? 4 : 8;
  memcpy(&v, data + lane * n, n);
  return v;
}
static void fill(u8 *data, char kind, u64 v) {
  size_t n = kind == 'h' ? 2 : kind == 'r' ? 4 : 8;
  u32 bits = v & 1 ? VM_FULL : 0;
  if (kind == 'p')
    memcpy(data, &bits, 4);
  else
    for (u32 i = 0; i < VM_LANES; i++) memcpy(data + i * n, &v, n);
  *vm_head(data) = (struct vm_slot){.valid = VM_FULL};
}

/* The instruction's text; in_place: the destination is the first source's register. */
static void row_text(struct strbuf *out, const struct arith_row *r, bool in_place) {
  strbuf_printf(out, "%s ", r->op);
  for (u32 i = 0; r->regs[i]; i++) {
    const char *comma = i ? ", " : "";
    if (r->regs[i] == 'q')
      strbuf_printf(out, "%%p0|%%p5");
    else if (r->regs[i] == 'i')
      strbuf_printf(out, "%s%lld", comma, (long long)r->in[i - 1]);
    else if (r->regs[i] == 'N')
      strbuf_printf(out, "%s!%%p%u", comma, i);
    else
      strbuf_printf(out, "%s%%%c%u", comma, r->regs[i], i || !in_place ? i : 1);
  }
  strbuf_printf(out, ";\n");
}
static char kind_of(char letter) { return letter == 'N' || letter == 'q' ? 'p' : letter; }

static const u64 before = 0xb5b4b3b2b1b0afaeull;

static void load(struct bench *b, const struct arith_row *r) {
  fill(reg(b, kind_of(r->regs[0]), 0), kind_of(r->regs[0]), before);
  fill(reg(b, 'p', 5), 'p', before);
  for (u32 i = 1; r->regs[i]; i++)
    if (r->regs[i] != 'i') fill(reg(b, kind_of(r->regs[i]), i), kind_of(r->regs[i]), r->in[i - 1]);
  b->carry = r->in[4] & 1 ? VM_FULL : 0;
}
static void check_lanes(struct bench *b, const struct arith_row *r, u32 number, u32 mask, u64 old) {
  char kind = kind_of(r->regs[0]);
  for (u32 i = 0; i < VM_LANES; i++) {
    bool active = mask >> i & 1;
    u64 got = get(reg(b, kind, number), kind, i), keep = get((const u8 *)&old, kind, 0);
    u64 want = active ? (kind == 'p' ? r->want & 1 : r->want) : keep;
    ck_assert_msg(got == want, "%s (%llx, %llx, %llx, %llx) mask %x lane %u: %llx, not %llx", r->op,
                  (unsigned long long)r->in[0], (unsigned long long)r->in[1],
                  (unsigned long long)r->in[2], (unsigned long long)r->in[3], mask, i,
                  (unsigned long long)got, (unsigned long long)want);
    if (r->regs[0] == 'q') {
      u64 q = get(reg(b, 'p', 5), 'p', i);
      ck_assert_msg(q == (active ? r->want >> 1 & 1 : (before & 1)), "%s: q of lane %u", r->op, i);
    }
    u32 carry = b->carry >> i & 1, carry_want = (u32)(active ? r->in[4] >> 1 : r->in[4] & 1);
    ck_assert_msg(carry == carry_want, "%s: carry of lane %u", r->op, i);
  }
}
static bool may_decide(const char *op) { /* operations where a defined operand can decide */
  return !strncmp(op, "and", 3) || !strncmp(op, "or", 2) || !strncmp(op, "mul", 3) ||
         !strncmp(op, "selp", 4) || !strncmp(op, "slct", 4);
}
static void check_row(struct bench *b, const struct arith_row *r, u32 index, bool in_place) {
  static const u32 masks[] = {VM_FULL, 0xfff0f00fu, 0x00040001u};
  char kind = kind_of(r->regs[0]);
  u32 number = in_place ? 1 : 0;
  for (u32 k = 0; k < COUNT_OF(masks); k++) {
    load(b, r);
    bench_run(b, index, masks[k]);
    check_lanes(b, r, number, masks[k], in_place ? r->in[0] : before);
    ck_assert_uint_eq(vm_head(reg(b, kind, number))->valid, VM_FULL);
  }
  for (u32 i = 1; r->regs[i] && !may_decide(r->op); i++) {
    if (r->regs[i] == 'i') continue;
    load(b, r);
    vm_head(reg(b, kind_of(r->regs[i]), i))->valid = ~0x00008001u;
    bench_run(b, index, 0x0000ffffu);
    u32 valid = vm_head(reg(b, kind, number))->valid;
    ck_assert_msg(valid == ~0x00008001u, "%s operand %u: valid %x", r->op, i, valid);
  }
}
static void check_table(const struct arith_row *rows, u32 count) {
  struct strbuf body = {0};
  struct bench b;
  for (u32 i = 0; i < count; i++) {
    row_text(&body, &rows[i], false);
    row_text(&body, &rows[i], rows[i].regs[0] == rows[i].regs[1]);
  }
  bench_open(&b, body.p);
  strbuf_free(&body);
  for (u32 i = 0; i < count; i++) {
    check_row(&b, &rows[i], 2 * i, false);
    check_row(&b, &rows[i], 2 * i + 1, rows[i].regs[0] == rows[i].regs[1]);
  }
  bench_close(&b);
}
#define A(name)                                                                                    \
  START_TEST(table_##name) { check_table(arith_##name, arith_##name##_count); }                    \
  END_TEST
ARITH_TABLES
#undef A

/* A defined zero decides and and mul, ones decide or; selp needs only the side it takes. */
START_TEST(deciding_operands) {
  struct bench b;
  bench_open(
      &b, "and.b32 %r0, %r1, %r2;\nor.b32 %r0, %r1, %r2;\nmul.lo.u32 %r0, %r1, %r2;\n"
          "selp.b32 %r0, %r1, %r2, %p0;\nand.pred %p1, %p2, %p3;\nmul.wide.u32 %d0, %r1, %r2;\n");
  static const struct {
    u64 known;
    u32 index;
    bool defined;
  } rows[] = {{0, 0, true}, {1, 0, false}, {0xffffffffu, 1, true}, {0xfffffffeu, 1, false},
              {0, 2, true}, {1, 2, false}, {0, 5, true},           {2, 5, false}};
  for (u32 i = 0; i < COUNT_OF(rows); i++)
    for (u32 side = 1; side <= 2; side++) {
      fill(reg(&b, 'r', side), 'r', rows[i].known);
      fill(reg(&b, 'r', 3 - side), 'r', 0x77);
      vm_head(reg(&b, 'r', 3 - side))->valid = 0xffff0000u;
      bench_run(&b, rows[i].index, VM_FULL);
      u32 valid = vm_head(reg(&b, rows[i].index == 5 ? 'd' : 'r', 0))->valid;
      ck_assert_uint_eq(valid, rows[i].defined ? VM_FULL : 0xffff0000u);
    }
  for (u32 p = 0; p < 2; p++) {
    fill(reg(&b, 'r', 1), 'r', 1);
    fill(reg(&b, 'r', 2), 'r', 2);
    fill(reg(&b, 'p', 0), 'p', p);
    vm_head(reg(&b, 'r', 2))->valid = 0;
    bench_run(&b, 3, VM_FULL);
    ck_assert_uint_eq(vm_head(reg(&b, 'r', 0))->valid, p ? VM_FULL : 0);
  }
  fill(reg(&b, 'p', 2), 'p', 0);
  fill(reg(&b, 'p', 3), 'p', 1);
  vm_head(reg(&b, 'p', 3))->valid = 0xff;
  bench_run(&b, 4, VM_FULL);
  ck_assert_uint_eq(vm_head(reg(&b, 'p', 1))->valid, VM_FULL);
  bench_close(&b);
}
END_TEST

/* Every lane its own value: vectors do not mix lanes. */
START_TEST(lanes_apart) {
  struct bench b;
  bench_open(&b,
             "add.s32 %r0, %r1, %r2;\nsetp.lt.u64 %p0, %d1, %d2;\nmul.wide.s32 %d0, %r1, %r2;\n"
             "cvt.u16.u32 %h0, %r1;\nsetp.lt.s16 %p1, %h1, %h2;\nselp.b32 %r0, %r1, %r2, %p0;\n");
  u32 *r1 = (u32 *)(void *)reg(&b, 'r', 1), *r2 = (u32 *)(void *)reg(&b, 'r', 2),
      *r0 = (u32 *)(void *)reg(&b, 'r', 0);
  u64 *d1 = (u64 *)(void *)reg(&b, 'd', 1), *d2 = (u64 *)(void *)reg(&b, 'd', 2),
      *d0 = (u64 *)(void *)reg(&b, 'd', 0);
  u16 *h1 = (u16 *)(void *)reg(&b, 'h', 1), *h2 = (u16 *)(void *)reg(&b, 'h', 2),
      *h0 = (u16 *)(void *)reg(&b, 'h', 0);
  for (u32 i = 0; i < VM_LANES; i++) {
    r1[i] = i * 0x9e3779b9u;
    r2[i] = i * i * 0x85ebca6bu;
    d1[i] = r1[i] * 0x100000001ull;
    d2[i] = r2[i] * 0x100000001ull;
    h1[i] = (u16)r1[i];
    h2[i] = (u16)r2[i];
  }
  for (u32 k = 0; k < 5; k++) bench_run(&b, k, VM_FULL);
  u32 p0 = *(u32 *)(void *)reg(&b, 'p', 0), p1 = *(u32 *)(void *)reg(&b, 'p', 1);
  for (u32 i = 0; i < VM_LANES; i++) {
    ck_assert_uint_eq(r0[i], r1[i] + r2[i]);
    ck_assert_uint_eq(d0[i], (u64)((i64)(i32)r1[i] * (i32)r2[i]));
    ck_assert_uint_eq(h0[i], (u16)r1[i]);
    ck_assert_uint_eq(p0 >> i & 1, d1[i] < d2[i]);
    ck_assert_uint_eq(p1 >> i & 1, (int16_t)h1[i] < (int16_t)h2[i]);
  }
  bench_run(&b, 5, VM_FULL);
  for (u32 i = 0; i < VM_LANES; i++) ck_assert_uint_eq(r0[i], p0 >> i & 1 ? r1[i] : r2[i]);
  bench_close(&b);
}
END_TEST

/* What does not exist is refused by name, never guessed. */
START_TEST(refused_forms) {
  static const char *const lines[] = {
      "add.f16 %r0, %r1, %r2;",
      "add.sat.u32 %r0, %r1, %r2;",
      "mul.s32 %r0, %r1, %r2;",
      "mul.wide.s64 %d0, %d1, %d2;",
      "min.sat.f32 %r0, %r1, %r2;",
      "add.s32 %r0, %r1;",
      "shl.b32 %r0, %r1, %d2;",
      "setp.lo.s32 %p0, %r1, %r2;",
      "setp.lt.b32 %p0, %r1, %r2;",
      "cvt.s32.f32 %r0, %r1;",
      "cvt.rzi.f32.s32 %r0, %r1;",
      "cvt.f16.f32 %h0, %r1;",
      "selp.b32 %r0, %r1, %r2, !%p0;",
      "and.pred %p0, %p1, !%p2;",
      "sin.f32 %r0, %r1;",
      "lop3.b32 %r0, %r1, %r2, %r3, %r4;",
      "prmt.b64 %d0, %d1, %d2, %d3;",
      "cvt.u32.u64 %r0, %r1;",
      "add.ftz.f64 %d0, %d1, %d2;",
      "fma.rn.f32 %r0, %r1, %r2;",
      "abs.u32 %r0, %r1;",
      "add.s32 1, %r1, %r2;",
      "set.eq.u64.s32 %d0, %r1, %r2;",
      "bfe.b32 %r0, %r1, %r2, %r3;",
  };
  for (u32 i = 0; i < COUNT_OF(lines); i++) {
    struct bench b;
    bench_open(&b, lines[i]);
    const struct vm_insn *in = &b.code->insns[0];
    ck_assert_msg(in->fn == vm_op_unsupported, "%s was accepted", lines[i]);
    ck_assert_msg(in->more && strchr(in->more, ':'), "%s: no reason", lines[i]);
    bench_close(&b);
  }
}
END_TEST

/* The caller's rounding mode survives, and a chain of carries works across instructions. */
START_TEST(carry_chain) {
  struct bench b;
  bench_open(&b, "add.cc.u32 %r0, %r1, %r2;\naddc.cc.u32 %r3, %r4, %r5;\naddc.u32 %r6, %r7, 0;\n");
  for (u32 k = 1; k < 8; k++)
    fill(reg(&b, 'r', k), 'r', k == 2 ? 1 : k == 5 || k == 7 ? 0 : 0xffffffffu);
  b.carry = 0;
  for (u32 k = 0; k < 3; k++) bench_run(&b, k, 0xf0u);
  ck_assert_uint_eq(get(reg(&b, 'r', 0), 'r', 4), 0);
  ck_assert_uint_eq(get(reg(&b, 'r', 3), 'r', 4), 0);
  ck_assert_uint_eq(get(reg(&b, 'r', 6), 'r', 4), 1);
  ck_assert_uint_eq(get(reg(&b, 'r', 6), 'r', 0), 0xffffffffu);
  ck_assert_uint_eq(b.carry, 0xf0u);
  bench_close(&b);
}
END_TEST

Suite *suite_arith(void);
Suite *suite_arith(void) {
  Suite *s = suite_create("arith");
  TCase *t = tcase_create("arith");
#define A(name) tcase_add_test(t, table_##name);
  ARITH_TABLES
#undef A
  tcase_add_test(t, deciding_operands);
  tcase_add_test(t, lanes_apart);
  tcase_add_test(t, refused_forms);
  tcase_add_test(t, carry_chain);
  suite_add_tcase(s, t);
  return s;
}
