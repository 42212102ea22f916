/* target.h - what a fuzzer feeds: bytes through the parser, or through the parser and the machine
 * under all checks. Shared by the libFuzzer programs and by the test that replays what they found.
 * Knows no fuzzer. */
#ifndef WL_TEST_FUZZ_TARGET_H
#define WL_TEST_FUZZ_TARGET_H
#include "base/base.h"

enum { FUZZ_TEXT_MAX = 64 << 10, FUZZ_STEPS = 20000 };
/* The first line may be FUZZ_HEAD and 16 hexadecimal digits: how the kernels are launched. */
#define FUZZ_HEAD "//fuzz "
enum { FUZZ_HEAD_BYTES = 7 + 16 + 1 };

/* false: the text is no PTX module. Otherwise every instruction and name was printed too. */
bool fuzz_parse(const u8 *bytes, size_t n);
struct fuzz_ran {
  bool parsed, loaded;
  u32 launches, refused;
  u64 steps;
  u32 findings;
};
/* Parses, loads, launches every kernel (at most FUZZ_KERNELS of them) within FUZZ_STEPS. */
enum { FUZZ_KERNELS = 2 };
struct fuzz_ran fuzz_machine(const u8 *bytes, size_t n);
#endif
