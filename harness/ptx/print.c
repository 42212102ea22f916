/* print.c - instructions back to text, canonical: one line, labels as instruction numbers. */
#include "ptx/ptx.h"

static void put_offset(struct strbuf *out, i64 imm) {
  if (imm) strbuf_printf(out, "%+lld", (long long)imm);
}

static void put_imm(struct strbuf *out, const struct ptx_operand *o) {
  if (!o->is_float)
    strbuf_printf(out, "%lld", (long long)o->imm);
  else if (o->is_f32)
    strbuf_printf(out, "0f%08X", (unsigned)o->imm);
  else
    strbuf_printf(out, "0d%016llX", (unsigned long long)o->imm);
}

static void put_str(struct strbuf *out, str s) { strbuf_add(out, s.p, s.n); }

static void put_operand(struct strbuf *out, const struct ptx_module *m, const struct ptx_func *f,
                        const struct ptx_operand *o) {
  static const char dims[4] = {'x', 'y', 'z', 'w'};
  if (o->negated) strbuf_add(out, "!", 1);
  if (o->is_addr) strbuf_add(out, "[", 1);
  switch (o->kind) {
  case OPD_REG:
    put_str(out, f->regs[o->index].name);
    if (o->select) strbuf_printf(out, ".%c", PTX_SELECT_HALF(o->select) ? 'h' : 'b');
    for (u32 i = o->select ? PTX_SELECT_COUNT(o->select) : 0; i-- > 0;)
      strbuf_printf(out, "%u", PTX_SELECT_DIGIT(o->select, i));
    break;
  case OPD_IMM: put_imm(out, o); break;
  case OPD_VAR: put_str(out, m->vars[o->index].name); break;
  case OPD_FUNC: put_str(out, m->funcs[o->index].name); break;
  case OPD_PARAM: put_str(out, f->params[o->index].name); break;
  case OPD_LABEL: strbuf_printf(out, "L%d", o->index); break;
  case OPD_SREG:
    strbuf_printf(out, "%%%s", ptx_sreg_text[o->sreg]);
    if (o->sreg <= SREG_nctaid || (o->sreg >= SREG_clusterid && o->sreg <= SREG_cluster_nctaid))
      strbuf_printf(out, ".%c", dims[o->dim & 3]);
    break;
  case OPD_VEC:
    strbuf_add(out, "{", 1);
    for (u32 i = 0; i < o->item_count; i++) {
      if (i) strbuf_add(out, ", ", 2);
      put_operand(out, m, f, &o->items[i]); /* vectors do not nest */
    }
    strbuf_add(out, "}", 1);
    break;
  default: strbuf_add(out, "_", 1); break;
  }
  bool named =
      o->kind == OPD_REG || o->kind == OPD_VAR || o->kind == OPD_PARAM || o->kind == OPD_FUNC;
  if (named) put_offset(out, o->imm);
  if (o->is_addr) strbuf_add(out, "]", 1);
}

static void put_list(struct strbuf *out, const struct ptx_module *m, const struct ptx_func *f,
                     const struct ptx_operand *o, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (i) strbuf_printf(out, "%s", o[i].after_pipe ? "|" : ", ");
    put_operand(out, m, f, &o[i]);
  }
}

static void put_call(struct strbuf *out, const struct ptx_module *m, const struct ptx_func *f,
                     const struct ptx_insn *in) {
  if (in->call_ret_count) {
    strbuf_add(out, "(", 1);
    put_list(out, m, f, in->call_rets, in->call_ret_count);
    strbuf_add(out, "), ", 3);
  }
  put_list(out, m, f, in->operands, in->operand_count);
  if (in->call_arg_count) {
    strbuf_add(out, ", (", 3);
    put_list(out, m, f, in->call_args, in->call_arg_count);
    strbuf_add(out, ")", 1);
  }
  if (in->prototype >= 0) strbuf_printf(out, ", " STR_F, STR_A(f->prototypes[in->prototype].name));
}

void ptx_print_insn(struct strbuf *out, const struct ptx_module *m, const struct ptx_func *f,
                    const struct ptx_insn *in) {
  if (in->guard >= 0)
    strbuf_printf(out, "@%s" STR_F " ", in->guard_negated ? "!" : "",
                  STR_A(f->regs[in->guard].name));
  put_str(out, in->text);
  if (in->op == OP_unknown) {
    strbuf_add(out, " ...;", 5); /* its operands were not read */
    return;
  }
  bool more = in->operand_count || in->call_ret_count;
  if (more) strbuf_add(out, " ", 1);
  if (in->op == OP_call)
    put_call(out, m, f, in);
  else
    put_list(out, m, f, in->operands, in->operand_count);
  if (in->op == OP_brx) {
    strbuf_add(out, ", {", 3);
    for (u32 i = 0; i < in->target_count; i++)
      strbuf_printf(out, "%sL%d", i ? ", " : "", in->targets[i]);
    strbuf_add(out, "}", 1);
  }
  strbuf_add(out, ";", 1);
}
