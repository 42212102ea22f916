/* policy.c - the doubtful cases, and whether each is an error or a note. The page for users is
 * docs/findings.md; nothing else in the code decides this. */
#include "detect/parts.h"

enum severity detect_severity(const struct detect_policy *p, enum detect_case c) {
  bool strict = true;
  switch (c) {
  case CASE_RACE: break;
  case CASE_VOLATILE: strict = p->strict_volatile; break;
  case CASE_SAME_VALUE: strict = p->strict_same_value; break;
  case CASE_EXITED: strict = p->strict_exit; break;
  case CASE_UNINIT_STORE:
  case CASE_LIBRARY: strict = false; break;
  }
  return strict ? SEVERITY_ERROR : SEVERITY_NOTE;
}

bool detect_policy_parse(const char *list, struct detect_policy *p, struct diag *why) {
  str rest = str_of(list);
  while (rest.n) {
    size_t n = 0;
    while (n < rest.n && rest.p[n] != ',') n++;
    str word = str_trim((str){rest.p, n});
    if (str_eqz(word, "volatile")) {
      p->strict_volatile = true;
    } else if (str_eqz(word, "same-value")) {
      p->strict_same_value = true;
    } else if (str_eqz(word, "exit")) {
      p->strict_exit = true;
    } else {
      diag_set(why, "unknown policy '" STR_F "'", STR_A(word));
      diag_next(why, "use a list of: volatile, same-value, exit");
      return false;
    }
    n += n < rest.n;
    rest = (str){rest.p + n, rest.n - n};
  }
  return true;
}
