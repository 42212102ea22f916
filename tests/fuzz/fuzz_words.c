/* fuzz_words.c - prints libFuzzer's dictionary, made from the tables of the language. */
#include "ptx/ptx.h"

static void word(const char *dot, const char *text) { printf("\"%s%s\"\n", dot, text); }

int main(void) {
#define O(name, text, flags) word("", text);
#include "ptx/ops.def"
#undef O
#define M(name, text) word(".", text);
#include "ptx/mods.def"
#undef M
#define S(name, text) word("%", text);
#include "ptx/sregs.def"
#undef S
  for (int t = 1; t < T_COUNT; t++) word(".", ptx_type_text((enum ptx_type)t));
  static const char *const directives[] = {".version 8.5\\x0a",
                                           ".target sm_90\\x0a",
                                           ".address_size 64\\x0a",
                                           ".visible .entry ",
                                           ".func ",
                                           ".reg ",
                                           ".global ",
                                           ".shared ",
                                           ".local ",
                                           ".const ",
                                           ".param ",
                                           ".extern ",
                                           ".align ",
                                           ".loc 1 1 1",
                                           ".file 1 \\\"a\\\"",
                                           ".branchtargets ",
                                           ".callprototype ",
                                           ".maxntid ",
                                           ".reqnctapercluster ",
                                           "@%p1 ",
                                           "//fuzz "};
  for (size_t i = 0; i < COUNT_OF(directives); i++) word("", directives[i]);
  return 0;
}
