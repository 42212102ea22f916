/* test_half.c - the branchless f16 and bf16 arithmetic of vm/half.h against the general one of
 * vm/narrow.c: every value, and many sums, products and both, with all special values. */
#include <check.h>
#include <math.h>
#include "vm/half.h"

/* An assertion of Check writes to a pipe each time: too slow for millions. */
#define SAME(got, want, ...)                                                                       \
  do {                                                                                             \
    if ((got) != (want)) ck_abort_msg(__VA_ARGS__);                                                \
  } while (0)

static u32 by_general(double v, enum vm_format f) { return vm_narrow(v, f, VM_RN); }

START_TEST(every_value) {
  for (u32 h = 0; h < 65536; h++) {
    double f = vm_from_f16(h), b = vm_from_bf16(h), wf = vm_widen(h, VM_FMT_F16),
           wb = vm_widen(h, VM_FMT_BF16);
    SAME(isnan(f) || vm_bits64(f) == vm_bits64(wf), true, "f16 %04x", h);
    SAME(isnan(b) || vm_bits64(b) == vm_bits64(wb), true, "bf16 %04x", h);
    SAME(isnan(f) != 0, isnan(wf) != 0, "f16 %04x", h);
    SAME(isnan(b) != 0, isnan(wb) != 0, "bf16 %04x", h);
    SAME(vm_to_f16((float)wf), by_general(wf, VM_FMT_F16), "to f16 %04x", h);
    SAME(vm_to_bf16((float)wb), by_general(wb, VM_FMT_BF16), "to bf16 %04x", h);
  }
}
END_TEST

/* Around every f16 and bf16, in particular on the ties between two. */
START_TEST(every_rounding) {
  for (u64 k = 0; k < 1u << 22; k++) {
    u32 bits = (u32)(k << 10) + (k & 1 ? 1 : 0) - (k & 2 ? 1 : 0);
    double v = vm_float(bits);
    SAME(vm_to_f16(vm_float(bits)), by_general(v, VM_FMT_F16), "f16 of %08x", bits);
    SAME(vm_to_bf16(vm_float(bits)), by_general(v, VM_FMT_BF16), "bf16 of %08x", bits);
  }
}
END_TEST

/* Mostly near each other, so that sums cancel, meet ties and reach the subnormals. */
static u32 pick(u64 *rng) {
  static const u16 special[] = {0,      1,      2,      0x3ff,  0x400,  0x7bff, 0x7c00, 0x7e00,
                                0x7f7f, 0x7f80, 0x7fff, 0x80,   0x7f,   0x3c00, 0x3f80, 0x8000,
                                0x8001, 0xfbff, 0xfc00, 0xff80, 0xff7f, 0x0401, 0x8400, 0x8080};
  u32 r = (u32)(rng_next(rng) >> 32);
  switch (r >> 30) {
  case 0: return special[r % COUNT_OF(special)];
  case 1: return (r & 0x83ff) | 0x3800 | (r >> 4 & 0x0c00);
  default: return r & 0xffff;
  }
}

START_TEST(sums_and_products) {
  u64 rng = 7;
  for (u32 k = 0; k < 2000000; k++) {
    u32 a = pick(&rng), b = pick(&rng), c = pick(&rng);
    float x = vm_from_f16(a), y = vm_from_f16(b), z = vm_from_f16(c);
    SAME(vm_to_f16(x + y), by_general(vm_add_odd(x, y), VM_FMT_F16), "%04x + %04x", a, b);
    SAME(vm_to_f16(x * y), by_general((double)x * y, VM_FMT_F16), "%04x * %04x", a, b);
    SAME(vm_to_f16(vm_add_odd32(x * y, z)), by_general(vm_add_odd((double)x * y, z), VM_FMT_F16),
         "f16 %04x * %04x + %04x", a, b, c);
    x = vm_from_bf16(a), y = vm_from_bf16(b), z = vm_from_bf16(c);
    SAME(vm_to_bf16(x + y), by_general(vm_add_odd(x, y), VM_FMT_BF16), "%04x + %04x", a, b);
    SAME(vm_to_bf16(vm_odd32((double)x * y)), by_general((double)x * y, VM_FMT_BF16),
         "bf16 %04x * %04x", a, b);
    SAME(vm_to_bf16(vm_odd32(vm_add_odd64((double)x * y, z))),
         by_general(vm_add_odd((double)x * y, z), VM_FMT_BF16), "bf16 %04x * %04x + %04x", a, b, c);
  }
}
END_TEST

Suite *suite_half(void);
Suite *suite_half(void) {
  Suite *s = suite_create("half");
  TCase *t = tcase_create("half");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, every_value);
  tcase_add_test(t, every_rounding);
  tcase_add_test(t, sums_and_products);
  suite_add_tcase(s, t);
  return s;
}
