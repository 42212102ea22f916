/* embed.c - the headers of include/ as bytes inside the program, so that one binary is enough.
 * Adding one: the file in include/, a row in headers.def. Must be built at the project root. */
#include "compile/parts.h"

#define H(symbol, name, file, on_nvrtc, on_clang)                                                  \
  __asm__(".pushsection .rodata\nwl_header_" #symbol ":\n.incbin \"harness/compile/include/" file  \
          "\"\n.byte 0\n.popsection\n");                                                           \
  extern const char wl_header_##symbol[];
#include "compile/headers.def"
#undef H

const struct compile_header compile_headers[] = {
#define H(symbol, name, file, on_nvrtc, on_clang) {name, wl_header_##symbol, on_nvrtc, on_clang},
#include "compile/headers.def"
#undef H
};
const size_t compile_header_count = COUNT_OF(compile_headers);

u64 compile_headers_hash(void) {
  static u64 known;
  if (known) return known;
  u64 h = 0;
  for (size_t i = 0; i < compile_header_count; i++) {
    h = h * 0x9e3779b97f4a7c15ull + str_hash(str_of(compile_headers[i].name));
    h = h * 0x9e3779b97f4a7c15ull + str_hash(str_of(compile_headers[i].text));
  }
  known = h | 1;
  return known;
}
