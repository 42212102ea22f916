/* sites_parts.h - between sites.c and the rules of the two languages. */
#ifndef WL_TEST_SITES_PARTS_H
#define WL_TEST_SITES_PARTS_H
#include "mutate/sites.h"

struct site_scan {
  struct arena *a;
  str text;   /* NUL-terminated */
  char *code; /* without comments and strings: blanks, of equal length */
  char *ptx;  /* PTX alone: a whole .ptx file, or what stands in asm statements */
  struct sites *out;
};
void site_scan_cuda(struct site_scan *s);
void site_name_kernels(struct site_scan *s); /* of CUDA C++ */
void site_scan_ptx(struct site_scan *s);

void site_add(struct site_scan *s, enum site_kind kind, size_t from, size_t to, const char *instead,
              const char *what);
const char *site_text(struct site_scan *s, size_t from, size_t to);
bool site_word_char(char c);
bool site_word_at(const char *code, size_t i, const char *word);
#endif
