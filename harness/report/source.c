/* source.c - one line of a source file for an excerpt. Keeps the last file, since excerpts of one
 * report mostly come from one. Shows a file as it is now; a missing one simply has no excerpt. */
#include <string.h>
#include "report/parts.h"

enum { SOURCE_MAX = 4 << 20 };

static char held[512]; /* the file of `text`; "": none */

void source_forget(void) { held[0] = 0; }

bool source_line(const char *path, u32 line, char *out, size_t size) {
  static struct arena arena;
  static str text;
  if (!path || !*path || line == 0 || strlen(path) >= sizeof held) return false;
  if (strcmp(path, held) != 0) {
    struct diag why = {0};
    arena_free(&arena);
    text = (str){"", 0};
    snprintf(held, sizeof held, "%s", path);
    if (!file_exists(path) || !file_read(&arena, path, SOURCE_MAX, &text, &why))
      text = (str){"", 0};
  }
  str rest = text, found;
  for (u32 i = 0; i < line; i++)
    if (!str_line(&rest, &found)) return false;
  snprintf(out, size, STR_F, (int)(found.n < size ? found.n : size - 1), found.p);
  return true;
}
