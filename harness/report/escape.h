/* escape.h - untrusted text into other people's formats: see escape.c. */
#ifndef WL_REPORT_ESCAPE_H
#define WL_REPORT_ESCAPE_H
#include <stdio.h>
#include "base/base.h"

/* Invalid UTF-8 becomes U+FFFD everywhere. */
void escape_json(FILE *out, const char *s); /* with the quotes */
void escape_xml(FILE *out, const char *s);  /* HTML too */
void escape_tap(FILE *out, const char *s);  /* one line; # and \ escaped */
/* One cell of a CSV file, quoted where it has to be. What a spreadsheet would take for a formula
 * gets an apostrophe in front. */
void escape_csv(FILE *out, const char *s);
/* For terminals: no control characters but newline and tab. Each line is indented; at most
 * max_lines. */
void escape_text(FILE *out, const char *s, const char *indent, u32 max_lines);
#endif
