/* box.h - the messages between the grader (grade/) and its three sandboxed programs.
 *
 * warplings-box  opens archives and compiles; warplings-vm runs PTX, warplings-gpu runs on a GPU
 * what has passed there. None has any puzzle's check, reference or seed in it: they are linked
 * without puzzles/. A request is answered by one frame of the same type. What stands in a frame is
 * written next to its type, in order. */
#ifndef WL_BOX_H
#define WL_BOX_H
#include "box/frame.h"
#include "ptx/ptx.h"
#include "vm/vm.h"

enum box_message {
  BOX_HELLO, /* -> nothing: the sandbox stands and the program runs */
  /* bytes of the archive; u64 largest file, u64 most bytes in all, u32 most files
   * -> u32 ok, diag; u32 count, then for each: name, u32 kind (enum box_entry), bytes */
  BOX_UNPACK,
  /* name of the file, its source; u32 compiler, u32 build, u32 milliseconds
   * -> u32 judged, diag; u32 ok, PTX, log, u32 first error line, u32 compiler, its version */
  BOX_COMPILE,
  /* u32 slot, PTX -> u32 ok, diag; u32 kernels, for each: name, demangled, u32 parameter bytes, u32
   * count, for each parameter: u32 type, u32 size, u32 offset */
  BOX_LOAD,
  /* u32 slot, u32 schedule, u64 seed, u64 most steps, u32 SMs, u32 blocks on one, u32 flags
   * (BOX_OPTIMIZED ...) -> u32 ok, diag */
  BOX_CREATE,
  BOX_DESTROY, /* -> nothing */
  BOX_ALLOC,   /* name, u64 bytes, u32 bytes of an element -> u64 address, diag */
  BOX_FREE,    /* u64 address -> u32 ok, diag */
  BOX_WRITE,   /* u64 address, bytes -> u32 ok, diag */
  BOX_VIEW,    /* u32 what (enum device_view), u64 address, u64 bytes -> u32 ok, diag, bytes */
  BOX_RESIZE,  /* u32 SMs, u32 blocks on one -> nothing */
  /* u32 kernel, 3 u32 grid, 3 u32 block, 3 u32 cluster, u32 shared bytes, u32 cooperative,
   * parameter block
   * -> u32 outcome, diag, counters, findings so far and the time line (a verdict as in
   * puzzle/wire.c), u64 dropped */
  BOX_LAUNCH,
};
enum box_entry { BOX_FILE, BOX_TOO_LARGE, BOX_NOT_A_FILE, BOX_ENTRY_COUNT };
enum {
  BOX_OPTIMIZED = 1,
  BOX_NO_RACE = 2,
  BOX_LENIENT_EXIT = 4,
  BOX_STRICT_EXIT = 8,
  BOX_FLAGS = 15
};
enum { BOX_SLOTS = 2 }; /* modules that a machine keeps: debug and release */

/* Limits that both sides know. */
#define BOX_REQUEST_MAX ((u64)160 << 20)
#define BOX_MACHINE_MAX ((u64)512 << 20) /* what a kernel's machine may take */
enum { BOX_KERNELS_MAX = 256, BOX_PARAMS_MAX = 256, BOX_PARAM_BYTES_MAX = 32768 };

/* ---- modules.c ---- */
void box_put_ok(struct strbuf *out, bool ok, const struct diag *why);
void box_load(struct box_reader *in, struct strbuf *out); /* BOX_LOAD */
const struct ptx_module *box_module(u32 slot);            /* NULL: nothing is loaded there */
str box_module_text(u32 slot);
/* Takes apart a BOX_LAUNCH; false: it makes no sense. */
bool box_get_launch(struct box_reader *in, struct arena *keep, const struct ptx_module *m,
                    struct vm_launch *l);
/* How its answer begins. */
void box_put_outcome(struct strbuf *out, enum vm_outcome o, const struct diag *why,
                     const struct vm_counters *counters);

/* unpack.c; compile.c: handle one request of the kind that the file is named after. */
void box_unpack(struct box_reader *in, struct strbuf *out);
void box_compile(struct box_reader *in, struct strbuf *out);
#endif
