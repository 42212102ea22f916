/* compile.c - one source file to PTX inside the sandbox: compile/ does it, this packs the answer.
 */
#include <stdlib.h>
#include <string.h>
#include "box/box.h"
#include "compile/compile.h"

enum { COMPILERS = COMPILER_CLANG + 1, BUILDS = BUILD_RELEASE + 1 };

/* "." and "..", and whatever leads out of the current folder, are no file names. */
static bool is_plain(const char *name) { return *name && *name != '.' && !strchr(name, '/'); }

void box_compile(struct box_reader *in, struct strbuf *out) {
  struct arena a = {0};
  struct diag why = {0};
  struct compile_result c = {.compiler_version = ""};
  const char *name = str_copy(&a, box_get_text(in)).p;
  str source = box_get_text(in);
  struct compile_request r = {.path = name};
  r.compiler = (enum compiler)box_get_below(in, COMPILERS);
  r.build = (enum build)box_get_below(in, BUILDS);
  r.timeout_ms = box_get_u32(in);
  if (!box_done(in) || !is_plain(name)) exit(4);
  bool judged = file_write(name, source, &why) && compile_ptx(&a, &r, &c, &why);
  box_put_u32(out, judged);
  box_put_diag(out, &why);
  box_put_u32(out, c.ok);
  box_put_text(out, c.ptx);
  box_put_text(out, c.log);
  box_put_u32(out, c.first_error_line);
  box_put_u32(out, (u32)c.compiler);
  box_put_text(out, str_of(c.compiler_version ? c.compiler_version : ""));
  arena_free(&a);
}
