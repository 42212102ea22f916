/* parts.h - inside report/: what the writers share. */
#ifndef WL_REPORT_PARTS_H
#define WL_REPORT_PARTS_H
#include "report/escape.h"
#include "report/report.h"

/* source.c: the line of a source file, without its newline; false when it cannot be had. */
bool source_line(const char *path, u32 line, char *out, size_t size);
void source_forget(void); /* it may have changed since */

/* text_finding.c */
void text_finding(const struct report_style *s, const struct finding *f, const char *shape);
/* All but its first line. */
void text_finding_below(const struct report_style *s, const struct finding *f);
void text_object(FILE *out, const struct finding *f); /* "shared tile[5]" */
void text_wrap(const struct report_style *s, size_t margin, const char *text);
/* "file:line: error: RACE: message" for each place of each finding. */
void text_editor_lines(FILE *out, const struct report_item *it);

void text_time_line(const struct report_style *s, const struct vm_time_line *t); /* timeline.c */
void text_item(struct report *r, const struct report_item *it);
void text_end(struct report *r);
void text_one(const struct report_style *s, const struct report_item *it);
void json_end(struct report *r);
void json_one(const struct report_style *s, const struct report_item *it);
void junit_end(struct report *r);
void tap_end(struct report *r);
#endif
