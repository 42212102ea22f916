/* engine.h - between engine.c (who runs the tasks) and progress.c (what one sees of it). */
#ifndef WL_GRADE_ENGINE_H
#define WL_GRADE_ENGINE_H
#include "grade/grade.h"

struct progress {
  u32 done, total, judged, kept, reused, faults, failed;
  u64 start_ms, shown_ms;
  bool terminal, is_quiet;
};
void progress_start(struct progress *b, const char *what, u32 total, u32 submissions);
void progress_step(struct progress *b, bool ok);
void progress_end(struct progress *b);
#endif
