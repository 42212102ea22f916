/* gen.h - random PTX programs from a seed: race-free, bounded, with one final memory whatever the
 * order of threads. Also the small kernels that apply a single form to many values. Runs nothing.
 */
#ifndef WL_TEST_GPU_GEN_H
#define WL_TEST_GPU_GEN_H
#include "gpu/forms.h"

struct gen { /* what programs are made of */
  const struct form *forms;
  u32 form_count;
  const u8 *excluded; /* forms to leave out, one byte each; NULL: none */
  bool plain;         /* for an assembler that does not optimise: see gen.c */
};
enum stmt_kind { STMT_TEXT, STMT_IF, STMT_ELSE, STMT_LOOP, STMT_END };
struct stmt {
  enum stmt_kind kind;
  const char *text; /* IF: the predicate; LOOP: how often, a register */
  u32 end;          /* IF, ELSE, LOOP: the statement that closes it */
  u32 depth;        /* LOOP: nesting, from 0 */
  bool dropped;
};
struct program {
  u64 seed;
  u32 grid, block;
  struct stmt *stmts;
  u32 count;
};
enum {
  CELL_KINDS = 9, /* global atomics whose outcome has no order, 16 cells of 8 bytes each */
  CELL_BYTES = CELL_KINDS * 16 * 8,
  SHARED_CELLS = 16,  /* the same in shared memory, 4 bytes each, dumped for each block */
  THREAD_BYTES = 256, /* registers and the thread's own cell */
  IN_BYTES = 64,      /* inputs of a thread */
  FORM_THREADS = 2048,
  FORM_BLOCK = 128,
  FORM_IN = 64,
  FORM_OUT = 32,
};
void gen_program(struct arena *keep, const struct gen *g, u64 seed, struct program *out);
/* The kernel's text, named NAME; a module is gen_header and kernels. */
void gen_header(struct strbuf *b);
void gen_print(struct strbuf *b, const struct program *p, const char *name);
u32 gen_threads(const struct program *p);
u32 gen_out_bytes(const struct program *p);
void gen_inputs(const struct program *p, u8 *in, u8 *out); /* threads * IN_BYTES; gen_out_bytes */
/* "thread 3 of block 1, %d2", "atomic cell 7 of kind 2" */
void gen_place(const struct program *p, u32 offset, char *out, size_t size);

/* A form alone: FORM_THREADS threads, each with operands from FORM_IN bytes, results in FORM_OUT.
 */
void gen_form(struct strbuf *b, const struct form *f, const char *name);
void gen_form_inputs(const struct form *f, u64 seed, u8 *in);
#endif
