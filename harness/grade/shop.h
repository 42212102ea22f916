/* shop.h - between shop.c (compiling, jails) and shop_machine.c (what a check asks of a machine).
 */
#ifndef WL_GRADE_SHOP_H
#define WL_GRADE_SHOP_H
#include "box/box.h"
#include "grade/grade.h"

enum { SHOP_COMPILE_MS = 30000, SHOP_ASK_MS = 10000 };
#define SHOP_COMPILED_MAX ((u64)40 << 20)
#define SHOP_ANSWER_MAX   ((u64)4 << 20)
#define SHOP_LOG_MAX      ((size_t)64 << 10)

struct shop_runner { /* a jail that runs kernels, and which modules it has */
  struct jail jail;
  enum jail_program program;
  bool loaded[BOX_SLOTS];
};
struct shop {
  struct arena *keep;
  const struct jail_settings *settings;
  struct jail box;
  struct shop_runner vm, gpu;
  struct shop_runner *runner; /* one of them: where the present run is */
  struct strbuf request, reply;
  struct pz_workshop workshop;
  struct device_elsewhere machine;
  /* the file that is judged */
  const char *name;
  str source;
  enum compiler compiler;
  bool stumbled;               /* the compiler did not come through: whose fault is that? */
  struct jail_budget run_time; /* for all its runs together */
  bool broke;                  /* a jail failed */
  bool used;                   /* the jails have seen a file */
  u32 slot;
  str ptx[BOX_SLOTS];
  const struct ptx_module *modules[BOX_SLOTS];
  /* the run */
  struct arena *run_keep;
  struct verdict found;
  const struct finding **list;
  u64 dropped;
  char gpu_name[96]; /* of a run there */
  double gpu_ms;
};

/* A process for it, if there is none; false: it does not start. */
bool shop_ensure(struct shop *w, struct shop_runner *r, struct diag *why);
/* One exchange with the runner; its time counts against the file's. */
bool shop_ask(struct shop *w, u32 type, u64 max_bytes, struct box_reader *r, struct diag *why);
bool shop_garbled(struct shop *w, struct jail *j, struct diag *why); /* false */
/* The module of that slot; *out, when out is not NULL, is its outline. */
bool shop_load(struct shop *w, struct arena *keep, u32 slot, const struct ptx_module **out,
               struct diag *why);

/* ---- shop_machine.c ---- */
void shop_machine_open(struct shop *w);
#endif
