/* census.c - decodes every function of a module and collects what was refused. */
#include "census/census.h"
#include <stdlib.h>
#include <string.h>
#include "vm/machine.h"

/* A gap is noted once, in the order met. */
static void note(struct census *c, const char *why, u32 line) {
  char text[256];
  int n = snprintf(text, sizeof text, "%s\n", why);
  c->gaps++;
  if (str_has((str){c->text.p, c->text.n}, text)) return;
  strbuf_add(&c->text, text, (size_t)n);
  (void)line;
}

static void decode_all(struct census *c, struct vm_machine *m) {
  for (u32 f = 0; f < m->module->func_count; f++) {
    struct vm_code *code = &m->codes[f];
    if (code->func->is_extern) continue;
    vm_decode(m, code);
    c->functions++;
    for (u32 i = 0; i < code->count; i++) {
      const struct vm_insn *in = &code->insns[i];
      c->instructions++;
      if (in->fn == vm_op_unsupported || in->inner == vm_op_unsupported)
        note(c, in->more ? in->more : "unknown", in->ptx->ptx_line);
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
