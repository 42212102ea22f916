/* host.h - what host.c and host_text.c share. Nobody outside this folder includes it. */
#ifndef WL_COMPILE_HOST_H
#define WL_COMPILE_HOST_H
#include "compile/parts.h"

enum { HOST_DEPTH = 64, HOST_LIST = 128 };
struct host_mark { /* text to be put in */
  size_t at;
  const char *text;
  bool stays; /* also where everything around it goes */
};
/* What the texts of one program share: those that it includes are read, too. */
struct host_program {
  struct arena *keep;
  bool for_clang;
  bool foreign; /* a function of the host, or a name or header of its libraries */
  u32 depth;
  struct compile_extra extra[COMPILE_EXTRA];
  u32 extra_count;
  str macros[HOST_LIST]; /* that stand for __device__ or the like */
  size_t macro_count;
  str names[HOST_LIST]; /* functions that went */
  size_t name_count;
};
struct host_text {
  struct host_program *program;
  const char *dir; /* where its #include "x.h" is looked up */
  const char *p;   /* the source, NUL-terminated */
  size_t n;
  char *out;     /* what is left of it: as long, with as many lines */
  bool *fixed;   /* bytes of preprocessor lines: these stay */
  bool bare_std; /* `using namespace std`: vector means std::vector */
  u32 depth;
  size_t removed; /* how many pieces */
  bool whole;     /* main(), or a launch by the host */
  struct host_mark marks[HOST_LIST];
  size_t mark_count;
};
enum host_kind { HOST_END, HOST_WORD, HOST_STRING, HOST_MARK };
struct host_token {
  enum host_kind kind;
  size_t at, end;
};
struct host_token host_next(struct host_text *h, size_t i);
str host_word(const struct host_text *h, struct host_token t);
bool host_is(const struct host_text *h, struct host_token t, const char *z);
/* __device__ and its like, and the source's own macros for them. */
bool host_is_device_word(const struct host_text *h, str w);
/* Behind the bracket that closes the one at i. */
size_t host_past_brackets(struct host_text *h, size_t i);
/* Behind the > that closes the < at i. */
size_t host_past_angles(struct host_text *h, size_t i);
/* Is there, in what is left between the two, a name of the host's libraries? */
bool host_has_name(struct host_text *h, size_t from, size_t to);
/* At a line #include "x.h", behind it at `end`: takes the device's half of a file of the user's
 * own. */
void host_include(struct host_text *h, size_t at, size_t end);
void host_blank(struct host_text *h, size_t from, size_t to);
#endif
