/* host.h - what host.c and host_text.c share. Nobody outside this folder includes it. */
#ifndef WL_COMPILE_HOST_H
#define WL_COMPILE_HOST_H
#include "compile/parts.h"

enum { HOST_MACROS = 64, HOST_DEPTH = 64, HOST_LIST = 128 };
struct host_text {
  const char *p; /* the source, NUL-terminated */
  size_t n;
  char *out;     /* what is left of it: as long, with as many lines */
  bool *fixed;   /* bytes of preprocessor lines: these stay */
  bool bare_std; /* `using namespace std`: vector means std::vector */
  u32 depth;
  str macros[HOST_MACROS]; /* that stand for __device__ or the like */
  size_t macro_count;
  size_t removed;          /* how many pieces */
  bool whole;              /* main(), or a launch by the host */
  bool foreign;            /* a function of the host, or a name or header of its libraries */
  size_t marks[HOST_LIST]; /* where the device is to be named, too */
  str names[HOST_LIST];    /* functions that went */
  size_t mark_count, name_count;
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
void host_blank(struct host_text *h, size_t from, size_t to);
#endif
