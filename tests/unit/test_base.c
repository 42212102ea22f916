/* test_base.c - arena, strings, diagnostics, files, random numbers. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/base.h"

START_TEST(arena_memory_is_zero_and_aligned) {
  struct arena a = {0};
  for (size_t size = 0; size < 3000; size += 7) {
    u8 *p = arena_alloc(&a, size);
    ck_assert_ptr_nonnull(p);
    ck_assert_uint_eq((uintptr_t)p % (size >= 64 ? 64 : 16), 0);
    for (size_t i = 0; i < size; i++) ck_assert_uint_eq(p[i], 0);
    memset(p, 0xff, size);
  }
  arena_free(&a);
  ck_assert_uint_eq(a.used_bytes, 0);
  u32 *again = NEWN(&a, u32, 10); /* reusable */
  ck_assert_uint_eq(again[9], 0);
  arena_free(&a);
}
END_TEST

START_TEST(arena_takes_big_pieces_between_small_ones) {
  struct arena a = {0};
  char *small = arena_alloc(&a, 10);
  memcpy(small, "before", 7);
  u8 *big = arena_alloc(&a, 5 << 20);
  big[0] = big[(5 << 20) - 1] = 1;
  char *next = arena_alloc(&a, 10);
  memcpy(next, "behind", 7);
  ck_assert_str_eq(small, "before");
  ck_assert_str_eq(next, "behind");
  ck_assert_uint_ge(a.used_bytes, (5u << 20) + 20);
  arena_free(&a);
}
END_TEST

/* Check runs this in a process of its own: running out of memory exits with 2. */
static void huge_product(void) {
  struct arena a = {0};
  arena_array(&a, SIZE_MAX / 2, 16);
}

START_TEST(arena_refuses_an_overflowing_product) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    huge_product();
    _exit(0);
  }
  int status = 0;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(WEXITSTATUS(status), 2);
}
END_TEST

START_TEST(printf_into_an_arena) {
  struct arena a = {0};
  char *s = arena_printf(&a, "%s-%d-%0500d", "x", 7, 1);
  ck_assert_uint_eq(strlen(s), 504);
  ck_assert_int_eq(strncmp(s, "x-7-0", 5), 0);
  arena_free(&a);
}
END_TEST

START_TEST(grow_keeps_what_was_there) {
  size_t cap = 0;
  u32 *v = NULL;
  for (u32 i = 0; i < 1000; i++) {
    v = base_grow(v, &cap, i + 1, sizeof *v);
    ck_assert_uint_ge(cap, i + 1);
    v[i] = i;
  }
  for (u32 i = 0; i < 1000; i++) ck_assert_uint_eq(v[i], i);
  free(v);
}
END_TEST

START_TEST(strings_compare_and_trim) {
  ck_assert(str_eq(STR("abc"), str_of("abc")));
  ck_assert(!str_eq(STR("abc"), STR("abd")));
  ck_assert(!str_eq(STR("abc"), STR("ab")));
  ck_assert(str_eq((str){NULL, 0}, STR("")));
  ck_assert(str_eqz(STR("x"), "x"));
  ck_assert(str_starts(STR("kernel"), "ker"));
  ck_assert(!str_starts(STR("ke"), "ker"));
  ck_assert(str_starts(STR(""), ""));
  ck_assert(str_has(STR("a needle here"), "needle"));
  ck_assert(!str_has(STR("need"), "needle"));
  ck_assert(str_has(STR("xneedle"), "needle"));
  ck_assert(str_has(STR(""), ""));
  ck_assert(str_eqz(str_trim(STR(" \t a b \r\n")), "a b"));
  ck_assert_uint_eq(str_trim(STR("   ")).n, 0);
  ck_assert_uint_eq(str_of(NULL).n, 0);
}
END_TEST

START_TEST(a_copy_is_terminated) {
  struct arena a = {0};
  char bytes[3] = {'x', 'y', 'z'};
  str c = str_copy(&a, (str){bytes, 2});
  ck_assert_str_eq(c.p, "xy");
  ck_assert_uint_eq(c.n, 2);
  arena_free(&a);
}
END_TEST

START_TEST(hash_is_fnv1a) {
  ck_assert(str_hash(STR("")) == 0xcbf29ce484222325u);
  ck_assert(str_hash(STR("a")) == 0xaf63dc4c8601ec8cu);
  ck_assert(str_hash(STR("foobar")) == 0x85944171f73967e8u);
}
END_TEST

START_TEST(lines_one_by_one) {
  str rest = STR("one\n\nthree"), line;
  ck_assert(str_line(&rest, &line) && str_eqz(line, "one"));
  ck_assert(str_line(&rest, &line) && line.n == 0);
  ck_assert(str_line(&rest, &line) && str_eqz(line, "three"));
  ck_assert(!str_line(&rest, &line));
  rest = STR("a\n");
  ck_assert(str_line(&rest, &line) && str_eqz(line, "a"));
  ck_assert(!str_line(&rest, &line));
}
END_TEST

START_TEST(text_grows) {
  struct strbuf b = {0};
  for (int i = 0; i < 500; i++) strbuf_printf(&b, "%d,", i);
  strbuf_add(&b, "end", 3);
  ck_assert_int_eq(strncmp(b.p, "0,1,2,", 6), 0);
  ck_assert_str_eq(b.p + b.n - 3, "end");
  strbuf_free(&b);
  ck_assert_ptr_null(b.p);
  strbuf_add(&b, NULL, 0);
  ck_assert_str_eq(b.p, "");
  strbuf_free(&b);
}
END_TEST

static char *printed(const struct diag *d, char *out, size_t cap) {
  FILE *f = fmemopen(out, cap, "w");
  diag_print(f, d);
  fclose(f);
  return out;
}

START_TEST(diag_points_with_a_caret) {
  struct diag d = {0};
  char out[2048] = "";
  diag_at(&d, "k.ptx", 12, 3, "unknown %s", "word");
  snprintf(d.excerpt, sizeof d.excerpt, "\tx word");
  diag_next(&d, "try %d", 1);
  ck_assert(d.set);
  ck_assert_str_eq(printed(&d, out, sizeof out),
                   "k.ptx:12:3: unknown word\n   12 | \tx word\n      | \t ^\n  next: try 1\n");
}
END_TEST

START_TEST(diag_forms) {
  struct diag d = {0};
  char out[2048] = "";
  ck_assert_str_eq(printed(&d, out, sizeof out), ""); /* nothing set, nothing said */
  diag_set(&d, "plain");
  ck_assert_str_eq(printed(&d, out, sizeof out), "plain\n");
  diag_at(&d, "f", 0, 0, "cannot");
  ck_assert_str_eq(printed(&d, out, sizeof out), "f: cannot\n");
  diag_at(&d, "", 3, 0, "x\x1b[31m");
  ck_assert_str_eq(printed(&d, out, sizeof out), "line 3: x?[31m\n");
  diag_next(&d, "old");
  diag_set(&d, "new"); /* nothing of the old one survives */
  ck_assert_str_eq(d.next, "");
  ck_assert_uint_eq(d.line, 0);
  diag_set(NULL, "nobody asked");
  diag_at(NULL, "f", 1, 1, "nobody asked");
}
END_TEST

START_TEST(diag_survives_long_text_and_column) {
  struct diag d = {0};
  char big[5000], out[4096] = "";
  memset(big, 'a', sizeof big - 1);
  big[sizeof big - 1] = 0;
  diag_at(&d, big, 1, 4000, "%s", big);
  diag_next(&d, "%s", big);
  memset(d.excerpt, 'e', sizeof d.excerpt - 1);
  printed(&d, out, sizeof out);
  ck_assert_uint_eq(strlen(d.file), sizeof d.file - 1);
  ck_assert_uint_eq(strlen(d.text), sizeof d.text - 1);
  ck_assert_ptr_null(strchr(out, '^')); /* the place lies behind the excerpt */
}
END_TEST

static char dir[64];
static void make_dir(void) {
  snprintf(dir, sizeof dir, "/tmp/wl_base_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(dir));
  ck_assert_int_eq(chdir(dir), 0);
}
static void remove_dir(void) {
  const char *names[] = {"f", "fifo", "big", "a/b/c", "a/b", "a", "link"};
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (unlink(names[i]) != 0) rmdir(names[i]);
  ck_assert_int_eq(chdir("/"), 0);
  ck_assert_int_eq(rmdir(dir), 0); /* nothing else was left behind */
}

START_TEST(file_round_trip) {
  struct arena a = {0};
  struct diag why = {0};
  str got;
  ck_assert(file_write("f", (str){"a\0b", 3}, &why));
  ck_assert(file_read(&a, "f", 3, &got, &why));
  ck_assert_uint_eq(got.n, 3);
  ck_assert_int_eq(memcmp(got.p, "a\0b", 4), 0);
  ck_assert(file_write("f", STR("second"), &why)); /* replaced as a whole */
  ck_assert(file_read(&a, "f", 100, &got, &why) && str_eqz(got, "second"));
  ck_assert(file_exists("f"));
  ck_assert(!file_exists("absent"));
  ck_assert(!file_exists("."));
  ck_assert(!why.set);
  arena_free(&a);
}
END_TEST

START_TEST(file_read_refuses) {
  struct arena a = {0};
  struct diag why = {0};
  str got;
  ck_assert(!file_read(&a, ".", 100, &got, &why));
  ck_assert_ptr_nonnull(strstr(why.text, "directory"));
  ck_assert_int_eq(mkfifo("fifo", 0600), 0);
  ck_assert(!file_read(&a, "fifo", 100, &got, &why)); /* and does not hang */
  ck_assert_ptr_nonnull(strstr(why.text, "FIFO"));
  ck_assert(!file_read(&a, "/dev/zero", 100, &got, &why));
  ck_assert_ptr_nonnull(strstr(why.text, "device"));
  ck_assert(!file_read(&a, "absent", 100, &got, &why));
  ck_assert_str_eq(why.file, "absent");
  ck_assert(file_write("big", STR("0123456789"), &why));
  ck_assert(!file_read(&a, "big", 9, &got, &why));
  ck_assert_ptr_nonnull(strstr(why.text, "too large"));
  arena_free(&a);
}
END_TEST

START_TEST(file_write_fails_cleanly) {
  struct diag why = {0};
  ck_assert(!file_write("absent/f", STR("x"), &why));
  ck_assert(why.set);
  why = (struct diag){0};
  ck_assert(!file_write(".", STR("x"), &why));
  ck_assert(why.set);
  ck_assert_int_eq(mkfifo("fifo", 0600), 0);
  ck_assert(!file_write("fifo", STR("x"), &why)); /* not replaced by a file */
}
END_TEST

START_TEST(a_written_file_has_the_usual_mode) {
  struct diag why = {0};
  struct stat st;
  umask(022);
  ck_assert(file_write("f", STR("x"), &why));
  ck_assert_int_eq(stat("f", &st), 0);
  ck_assert_int_eq(st.st_mode & 0777, 0644);
}
END_TEST

START_TEST(folders_with_parents) {
  struct diag why = {0};
  ck_assert(dir_make("a/b/c", &why));
  ck_assert(dir_make("a/b/c", &why));
  ck_assert(dir_make("a/b/c/", &why));
  ck_assert(!why.set);
  ck_assert(file_write("f", STR("x"), &why));
  ck_assert(!dir_make("f/g", &why));
  ck_assert(!dir_make("f", &why));
  ck_assert(!dir_make("", &why));
}
END_TEST

START_TEST(random_numbers_are_splitmix64) {
  u64 s = 1234567;
  ck_assert(rng_next(&s) == 6457827717110365317u);
  ck_assert(rng_next(&s) == 3203168211198807973u);
  u64 a = 9, b = 9;
  u32 seen = 0;
  for (int i = 0; i < 200; i++) {
    u32 v = rng_below(&a, 5);
    ck_assert_uint_lt(v, 5);
    ck_assert_uint_eq(v, rng_below(&b, 5));
    seen |= 1u << v;
  }
  ck_assert_uint_eq(seen, 31);
  ck_assert_uint_eq(rng_below(&a, 1), 0);
}
END_TEST

START_TEST(bug_aborts) {
  ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
  BUG("on purpose: %d", 1);
}
END_TEST

Suite *suite_base(void);
Suite *suite_base(void) {
  Suite *s = suite_create("base");
  TCase *t = tcase_create("memory and text");
  tcase_add_test(t, arena_memory_is_zero_and_aligned);
  tcase_add_test(t, arena_takes_big_pieces_between_small_ones);
  tcase_add_test(t, arena_refuses_an_overflowing_product);
  tcase_add_test(t, printf_into_an_arena);
  tcase_add_test(t, grow_keeps_what_was_there);
  tcase_add_test(t, strings_compare_and_trim);
  tcase_add_test(t, a_copy_is_terminated);
  tcase_add_test(t, hash_is_fnv1a);
  tcase_add_test(t, lines_one_by_one);
  tcase_add_test(t, text_grows);
  tcase_add_test(t, random_numbers_are_splitmix64);
  tcase_add_test_raise_signal(t, bug_aborts, 6);
  suite_add_tcase(s, t);
  t = tcase_create("diagnostics");
  tcase_add_test(t, diag_points_with_a_caret);
  tcase_add_test(t, diag_forms);
  tcase_add_test(t, diag_survives_long_text_and_column);
  suite_add_tcase(s, t);
  t = tcase_create("files");
  tcase_add_checked_fixture(t, make_dir, remove_dir);
  tcase_add_test(t, file_round_trip);
  tcase_add_test(t, file_read_refuses);
  tcase_add_test(t, file_write_fails_cleanly);
  tcase_add_test(t, a_written_file_has_the_usual_mode);
  tcase_add_test(t, folders_with_parents);
  suite_add_tcase(s, t);
  return s;
}
