/* escape.c - untrusted text into other people's formats: a learner's file names, kernels' printf,
 * compiler messages. Invalid UTF-8 becomes U+FFFD, control characters never pass. */
#include <string.h>
#include "report/parts.h"

enum { REPLACEMENT = 0xfffd };

/* The code point at *s, which moves behind it; malformed bytes give U+FFFD, one byte at a time. */
static u32 next_point(const char **s) {
  const u8 *p = (const u8 *)*s;
  u32 c = p[0], n = c < 0x80 ? 0 : (c & 0xe0) == 0xc0 ? 1 : (c & 0xf0) == 0xe0 ? 2 : 3;
  static const u32 least[] = {0, 0x80, 0x800, 0x10000};
  *s += 1;
  if (n == 0) return c;
  if (c < 0xc2 || c > 0xf4) return REPLACEMENT;
  u32 point = c & (0x3fu >> n);
  for (u32 i = 1; i <= n; i++) {
    if ((p[i] & 0xc0) != 0x80) return REPLACEMENT;
    point = point << 6 | (p[i] & 0x3fu);
  }
  if (point < least[n] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
    return REPLACEMENT;
  *s += n;
  return point;
}

static void put_point(FILE *out, u32 c) {
  if (c < 0x80) {
    fputc((int)c, out);
  } else if (c < 0x800) {
    fprintf(out, "%c%c", (int)(0xc0 | c >> 6), (int)(0x80 | (c & 0x3f)));
  } else if (c < 0x10000) {
    fprintf(out, "%c%c%c", (int)(0xe0 | c >> 12), (int)(0x80 | (c >> 6 & 0x3f)),
            (int)(0x80 | (c & 0x3f)));
  } else {
    fprintf(out, "%c%c%c%c", (int)(0xf0 | c >> 18), (int)(0x80 | (c >> 12 & 0x3f)),
            (int)(0x80 | (c >> 6 & 0x3f)), (int)(0x80 | (c & 0x3f)));
  }
}

static bool is_control(u32 c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

void escape_json(FILE *out, const char *s) {
  fputc('"', out);
  while (*s) {
    u32 c = next_point(&s);
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", (int)c);
    else if (c == '\n')
      fputs("\\n", out);
    else if (c == '\t')
      fputs("\\t", out);
    else if (is_control(c))
      fprintf(out, "\\u%04x", c);
    else
      put_point(out, c);
  }
  fputc('"', out);
}

/* XML 1.0 has no way to write most control characters, nor U+FFFE and U+FFFF. */
void escape_xml(FILE *out, const char *s) {
  while (*s) {
    u32 c = next_point(&s);
    if (c == '<')
      fputs("&lt;", out);
    else if (c == '>')
      fputs("&gt;", out);
    else if (c == '&')
      fputs("&amp;", out);
    else if (c == '"')
      fputs("&quot;", out);
    else if (c == '\n')
      fputs("&#10;", out);
    else if (c == '\t')
      fputs("&#9;", out);
    else
      put_point(out, is_control(c) || c == 0xfffe || c == 0xffff ? REPLACEMENT : c);
  }
}

void escape_tap(FILE *out, const char *s) {
  while (*s) {
    u32 c = next_point(&s);
    if (c == '#' || c == '\\')
      fprintf(out, "\\%c", (int)c);
    else if (c == '\n' || c == '\t')
      fputc(' ', out);
    else
      put_point(out, is_control(c) ? REPLACEMENT : c);
  }
}

void escape_csv(FILE *out, const char *s) {
  const char *first = s;
  /* Spreadsheets pass over white space in front of a formula. */
  while (*first == ' ') first++;
  bool formula = *first && strchr("=+-@\t\r", *first);
  bool quoted = formula || strpbrk(s, ",\"\n\r\t") || *s == ' ' || (*s && s[strlen(s) - 1] == ' ');
  if (quoted) fputc('"', out);
  if (formula) fputc('\'', out);
  while (*s) {
    u32 c = next_point(&s);
    if (c == '"') fputc('"', out);
    put_point(out, is_control(c) && c != '\n' && c != '\t' ? REPLACEMENT : c);
  }
  if (quoted) fputc('"', out);
}

void escape_text(FILE *out, const char *s, const char *indent, u32 max_lines) {
  for (u32 lines = 0; *s; lines++) {
    if (lines == max_lines) {
      fprintf(out, "%s... (more left out)\n", indent);
      return;
    }
    fputs(indent, out);
    while (*s && *s != '\n') {
      u32 c = next_point(&s);
      if (c != '\r') put_point(out, is_control(c) && c != '\t' ? REPLACEMENT : c);
    }
    if (*s) s++;
    fputc('\n', out);
  }
}
