/* census.c - decodes every function of a module and collects what was refused. As a program:
 *     census [--compiler nvrtc|clang] FILE.ptx|FILE.cu...
 * .cu files are compiled as `warplings exec` does it, unoptimised and optimised. Exit status: 0
 * nothing refused, 1 something refused, 2 a file could not be read or loaded. What a compiler does
 * not take is named, and no failure. */
#include "census/census.h"
#include <stdlib.h>
#include <string.h>
#include "compile/compile.h"
#include "vm/machine.h"

static void note(struct census *c, const char *why) {
  char line[256];
  snprintf(line, sizeof line, "    %s\n", why);
  c->gaps++;
  if (c->text.n && strstr(c->text.p, line)) return; /* each once */
  strbuf_printf(&c->text, "%s", line);
}

static void decode_all(struct census *c, struct vm_machine *m) {
  for (u32 f = 0; f < m->module->func_count; f++) {
    struct vm_code *code = &m->codes[f];
    if (!code->func->code_count) continue;
    vm_decode(m, code);
    c->functions++;
    for (u32 i = 0; i < code->count; i++) {
      const struct vm_insn *in = &code->insns[i];
      c->instructions++;
      if (in->fn == vm_op_unsupported || in->inner == vm_op_unsupported)
        note(c, in->more ? in->more : "unknown");
      c->beyond += in->fn == vm_op_beyond || in->inner == vm_op_beyond;
    }
  }
}

bool census_add(struct census *c, str ptx, struct diag *why) {
  struct arena arena = {0};
  struct ptx_module *module = NULL;
  struct vm_machine *m = NULL;
  struct vm_config config = {0};
  bool ok = ptx_parse(&arena, ptx, &module, why) && vm_create(module, &config, &m, why);
  if (ok) {
    c->modules++;
    decode_all(c, m);
    vm_destroy(m);
  }
  arena_free(&arena);
  return ok;
}

void census_free(struct census *c) { strbuf_free(&c->text); }

/* ---- the program ---- */
static int report(const char *what, str ptx) {
  struct census c = {0};
  struct diag why = {0};
  int status = 0;
  if (!census_add(&c, ptx, &why)) {
    printf("%s: line %u: %s\n", what, why.line, why.text);
    status = 2;
  } else {
    printf("%s: %u functions, %u instructions, %u refused, %u beyond the machine\n", what,
           c.functions, c.instructions, c.gaps, c.beyond);
    if (c.gaps) printf("%.*s", (int)c.text.n, c.text.p);
    status = c.gaps ? 1 : 0;
  }
  census_free(&c);
  return status;
}
static int one(const char *path, enum compiler compiler) {
  enum { PTX_MAX = 32 << 20 };
  struct arena a = {0};
  struct diag why = {0};
  str text;
  int worst = 0;
  size_t n = strlen(path);
  bool is_source = n > 3 && strcmp(path + n - 3, ".cu") == 0;
  for (int build = BUILD_DEBUG; is_source && build <= BUILD_RELEASE; build++) {
    struct compile_request r = {.path = path, .compiler = compiler, .build = (enum build)build};
    struct compile_result made = {0};
    const char *name = build == BUILD_DEBUG ? "unoptimised" : "optimised";
    int status = 0;
    why = (struct diag){0};
    if (!compile_ptx(&a, &r, &made, &why)) {
      bool toolkit = compile_wants_toolkit(&why);
      printf("%s, %s: %s\n", path, name, toolkit ? "needs the CUDA toolkit" : why.text);
      status = toolkit ? 0 : 2;
    } else if (!made.ok) {
      printf("%s, %s: this compiler does not take it\n", path, name);
    } else {
      status = report(arena_printf(&a, "%s, %s", path, name), made.ptx);
    }
    if (status > worst) worst = status;
  }
  if (!is_source && !file_read(&a, path, PTX_MAX, &text, &why)) {
    printf("%s: %s\n", path, why.text);
    worst = 2;
  } else if (!is_source) {
    worst = report(path, text);
  }
  arena_free(&a);
  return worst;
}

int main(int argc, char **argv);
/* Weak: tests/run has a main of its own. */
__attribute__((weak)) int main(int argc, char **argv) {
  enum compiler compiler = COMPILER_AUTO;
  int first = 1, worst = 0;
  if (argc > 2 && strcmp(argv[1], "--compiler") == 0 && compiler_find(argv[2], &compiler))
    first = 3;
  if (first >= argc) {
    fprintf(stderr, "usage: census [--compiler nvrtc|clang] FILE.ptx|FILE.cu...\n");
    return 2;
  }
  for (int i = first; i < argc; i++) {
    int status = one(argv[i], compiler);
    if (status > worst) worst = status;
  }
  return worst;
}
