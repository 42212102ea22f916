/* load.c - a module into a machine: addresses of its variables, initial contents, where each
 * kernel's shared memory lies. */
#include "vm/machine.h"
#include <stdlib.h>

static bool symbol_address(struct vm_machine *m, const struct ptx_reloc *r, u64 *out) {
  for (u32 v = 0; v < m->module->var_count; v++)
    if (str_eq(m->module->vars[v].name, r->symbol)) {
      const struct ptx_var *var = &m->module->vars[v];
      if (var->space != SP_GLOBAL && var->space != SP_CONST) return false;
      *out = m->var_address[v] + (u64)r->addend;
      return true;
    }
  for (u32 f = 0; f < m->module->func_count; f++)
    if (str_eq(m->module->funcs[f].name, r->symbol)) {
      *out = VM_CODE_BASE + 16ull * f + (u64)r->addend;
      return true;
    }
  return false;
}

static bool init_variable(struct vm_machine *m, u32 v, struct diag *why) {
  const struct ptx_var *var = &m->module->vars[v];
  struct vm_mem *mem = vm_mem_find(m, m->var_address[v]);
  if (!mem || !var->size_bytes) return true;
  if (var->init)
    memcpy(mem->o.data, var->init, var->size_bytes);
  else if (!mem->is_mapped)
    memset(mem->o.data, 0, var->size_bytes);
  mem->all_valid = true; /* .global and .const variables without initialiser are zero (PTX 5.4.4) */
  for (u32 i = 0; i < var->reloc_count; i++) {
    const struct ptx_reloc *r = &var->relocs[i];
    u64 a = 0;
    if (!symbol_address(m, r, &a)) {
      diag_set(why, "the initialiser of %.*s names %.*s, which this module does not define",
               STR_A(var->name), STR_A(r->symbol));
      return false;
    }
    if (r->offset_bytes > var->size_bytes || r->size_bytes > var->size_bytes - r->offset_bytes ||
        r->size_bytes > 8)
      continue;
    memcpy(mem->o.data + r->offset_bytes, &a, r->size_bytes);
  }
  return true;
}

bool vm_load(struct vm_machine *m, struct diag *why) {
  const struct ptx_module *mod = m->module;
  m->var_address = NEWN(&m->arena, u64, mod->var_count + 1);
  m->shared_base = NEWN(&m->arena, u32, mod->var_count + 1);
  u32 shared = VM_SHARED_START;
  for (u32 v = 0; v < mod->var_count; v++) {
    const struct ptx_var *var = &mod->vars[v];
    m->shared_base[v] = ~0u;
    if (var->space == SP_SHARED) { /* fixed for the module, so that decoded code serves every
                                      kernel; red zones between */
      u32 align = var->align > 16 ? var->align : 16;
      shared = (shared + align - 1) & ~(align - 1);
      if (!var->unsized) {
        if (var->size_bytes > (1u << 24)) {
          diag_set(why, "shared variable %.*s has %llu bytes", STR_A(var->name),
                   (unsigned long long)var->size_bytes);
          return false;
        }
        m->shared_base[v] = shared;
        shared += (u32)var->size_bytes + VM_REDZONE;
      }
      continue;
    }
    if (var->space != SP_GLOBAL && var->space != SP_CONST) continue;
    if (var->is_extern && !var->size_bytes) continue;
    str name = ptx_demangle(&m->arena, var->name, true);
    struct vm_mem *mem =
        vm_mem_new(m, var->space, str_copy(&m->arena, name).p,
                   var->size_bytes ? var->size_bytes : 1, ptx_type_bytes(var->type), why);
    if (!mem) return false;
    mem->o.shape = var->shape.count ? &var->shape : NULL;
    m->var_address[v] = mem->o.base;
  }
  m->dynamic_base = (shared + 1023) & ~1023u;
  for (u32 v = 0; v < mod->var_count; v++)
    if (mod->vars[v].space == SP_SHARED && mod->vars[v].unsized)
      m->shared_base[v] = m->dynamic_base;
  for (u32 v = 0; v < mod->var_count; v++)
    if (m->var_address[v] && !init_variable(m, v, why)) return false;
  m->codes = NEWN(&m->arena, struct vm_code, mod->func_count + 1);
  u64 pos = 1; /* 0 = no position */
  for (u32 f = 0; f < mod->func_count; f++) {
    m->codes[f].func = &mod->funcs[f];
    m->codes[f].first_pos = (u32)pos;
    pos += 2ull * mod->funcs[f].code_count + 1;
    if (pos > 1u << 28) {
      diag_set(why, "the module has too many instructions");
      return false;
    }
  }
  m->pos_count = (u32)pos;
  m->cache = NEWN(&m->arena, struct vm_mem *, pos);
  m->shared_cache = NEWN(&m->arena, u32, pos);
  m->reported = NEWN(&m->arena, u8, pos);
  return true;
}

/* ---- shared memory of one launch ---- */
static void mark_reachable(const struct ptx_module *mod, u32 func, u8 *seen, u8 *used) {
  u32 *stack = held_zeroed(mod->func_count + 1, sizeof *stack), depth = 0;
  stack[depth++] = func;
  seen[func] = 1;
  while (depth) {
    const struct ptx_func *f = &mod->funcs[stack[--depth]];
    for (u32 i = 0; i < f->code_count; i++) {
      const struct ptx_insn *in = &f->code[i];
      for (u32 o = 0; o < in->operand_count; o++) {
        const struct ptx_operand *op = &in->operands[o];
        if (op->kind == OPD_VAR) used[op->index] = 1;
        if (op->kind == OPD_FUNC && !seen[op->index]) {
          seen[op->index] = 1;
          stack[depth++] = (u32)op->index;
        }
      }
    }
  }
  held_free(stack);
}

/* Functions whose address stands in a table may be called too. */
static void mark_tables(const struct ptx_module *mod, u8 *seen, u8 *used) {
  for (u32 v = 0; v < mod->var_count; v++)
    for (u32 r = 0; r < mod->vars[v].reloc_count; r++)
      for (u32 f = 0; f < mod->func_count; f++)
        if (!seen[f] && str_eq(mod->funcs[f].name, mod->vars[v].relocs[r].symbol))
          mark_reachable(mod, f, seen, used);
}

bool vm_layout_shared(struct vm_machine *m, const struct ptx_func *kernel, u32 dynamic_bytes,
                      struct diag *why) {
  const struct ptx_module *mod = m->module;
  u8 *seen = NEWN(&m->launch_arena, u8, mod->func_count + 1),
     *used = NEWN(&m->launch_arena, u8, mod->var_count + 1);
  mark_reachable(mod, (u32)(kernel - mod->funcs), seen, used);
  mark_tables(mod, seen, used);
  m->shared = NEWN(&m->launch_arena, struct vm_shared_var, mod->var_count + 1);
  m->shared_count = 0;
  u64 total = 0;
  const struct ptx_var *dynamic = NULL;
  for (u32 v = 0; v < mod->var_count; v++) {
    const struct ptx_var *var = &mod->vars[v];
    if (var->space != SP_SHARED || !used[v]) continue;
    if (var->unsized) {
      dynamic = var;
      continue;
    }
    u64 align = var->align ? var->align : 1;
    total = (total + align - 1) / align * align + var->size_bytes;
    m->shared[m->shared_count++] = (struct vm_shared_var){
        var, str_copy(&m->launch_arena, ptx_demangle(&m->launch_arena, var->name, true)).p,
        m->shared_base[v], (u32)var->size_bytes};
  }
  if (dynamic_bytes) {
    const char *name =
        dynamic ? str_copy(&m->launch_arena, ptx_demangle(&m->launch_arena, dynamic->name, true)).p
                : "dynamic shared memory";
    m->shared[m->shared_count++] =
        (struct vm_shared_var){dynamic, name, m->dynamic_base, dynamic_bytes};
  }
  total += dynamic_bytes;
  m->counters.shared_bytes = total;
  if (total > m->config.shared_per_block_max) {
    diag_set(why, "the kernel needs %llu bytes of shared memory per block, the device has %u",
             (unsigned long long)total, m->config.shared_per_block_max);
    return false;
  }
  return true;
}

bool vm_symbol(struct vm_machine *m, str name, u64 *address, u64 *size_bytes, struct diag *why) {
  struct arena tmp = {0};
  bool found = false;
  for (u32 v = 0; v < m->module->var_count && !found; v++) {
    const struct ptx_var *var = &m->module->vars[v];
    if (!m->var_address[v] || (var->space != SP_GLOBAL && var->space != SP_CONST)) continue;
    if (!str_eq(var->name, name) && !str_eq(ptx_demangle(&tmp, var->name, true), name)) continue;
    *address = m->var_address[v];
    *size_bytes = var->size_bytes;
    found = true;
  }
  arena_free(&tmp);
  if (!found) diag_set(why, "the module has no variable named %.*s", STR_A(name));
  return found;
}
