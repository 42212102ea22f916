/* jail_user.c - whose rights a jail gets when root grades: a user that no other jail on this
 * machine has at the moment, whoever started it. Otherwise the limit on processes would be shared,
 * and ending all of a user's processes would end another grading's.
 *
 * A claim is a name in the kernel's abstract socket space: atomic, and gone with the process. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "grade/grade.h"

enum { FIRST = 61200, USERS = 4096 };
static int claim = -1;

bool jail_user_claim(u32 hint, u32 *uid, struct diag *why) {
  *uid = 0;
  if (geteuid() != 0) return true;
  if (claim >= 0) close(claim); /* a parent's, that we were born with: it stays the parent's */
  for (u32 i = 0; i < USERS; i++) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    *uid = FIRST + (hint + i) % USERS;
    int n = snprintf(a.sun_path + 1, sizeof a.sun_path - 1, "warplings-user-%u", *uid);
    claim = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (claim < 0) break;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    if (bind(claim, (const struct sockaddr *)(const void *)&a, size) == 0) return true;
    close(claim);
    claim = -1;
    if (errno != EADDRINUSE) break;
  }
  diag_set(why, "cannot claim a user for the sandbox: %s", strerror(errno));
  return false;
}

void jail_user_release(void) {
  if (claim >= 0) close(claim);
  claim = -1;
}
