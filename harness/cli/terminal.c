/* terminal.c - the terminal of the verb watch: raw mode, the alternate screen, keys. Whatever ends
 * the process (return, exit, a signal, a crash) gives the terminal back as it was; children that
 * were forked from here never touch it. */
#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include "cli/watch.h"

/* Alternate screen, no cursor, no wrapping at the right edge; and back. */
static const char enter_text[] = "\033[?1049h\033[?25l\033[?7l\033[2J";
static const char leave_text[] = "\033[0m\033[?7h\033[?25h\033[?1049l";
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static struct termios before;
static volatile sig_atomic_t is_open;
static pid_t owner;

void terminal_write(const char *bytes, size_t n) {
  while (n) {
    ssize_t k = write(STDOUT_FILENO, bytes, n);
    if (k < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (k <= 0) return;
    bytes += k;
    n -= (size_t)k;
  }
}

/* Only async-signal-safe calls in here. */
void terminal_close(void) {
  if (!is_open || getpid() != owner) return;
  is_open = 0;
  terminal_write(leave_text, sizeof leave_text - 1);
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
}

static void crashed(int sig) {
  terminal_close();
  signal(sig, SIG_DFL);
  raise(sig);
}

static void enter(void) {
  struct termios raw = before;
  raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  is_open = 1;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  terminal_write(enter_text, sizeof enter_text - 1);
}

static bool locale_is_utf8(void) {
  locale_t l = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
  if (!l) return false;
  bool yes = strcmp(nl_langinfo_l(CODESET, l), "UTF-8") == 0;
  freelocale(l);
  return yes;
}

bool terminal_open(struct terminal *t, struct diag *why) {
  const char *term = getenv("TERM");
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0) {
    diag_set(why, "watch needs a terminal for its input and its output");
    diag_next(why, "elsewhere use make check P=07 or make next");
    return false;
  }
  if (!term || !*term || strcmp(term, "dumb") == 0) {
    diag_set(why, "this terminal (TERM=%s) cannot be drawn on", term ? term : "");
    diag_next(why, "use make check P=07 or make next here");
    return false;
  }
  t->utf8 = locale_is_utf8();
  t->color = report_use_color(stdout);
  terminal_measure(t);
  owner = getpid();
  atexit(terminal_close);
  for (size_t i = 0; i < COUNT_OF(crashes); i++) signal(crashes[i], crashed);
  enter();
  return true;
}

/* SIGTSTP is blocked and read elsewhere: let it through once. */
void terminal_suspend(void) {
  sigset_t stop;
  terminal_close();
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  signal(SIGTSTP, SIG_DFL);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, NULL);
  sigprocmask(SIG_BLOCK, &stop, NULL);
  enter();
}

void terminal_resume(void) {
  if (is_open) enter();
}

void terminal_measure(struct terminal *t) {
  struct winsize w = {0};
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col && w.ws_row;
  t->columns = known ? w.ws_col : 80;
  t->rows = known ? w.ws_row : 24;
  if (t->columns < 20) t->columns = 20;
  if (t->rows < 3) t->rows = 3;
}

static enum key key_of(const char *bytes, size_t n) {
  static const struct {
    const char *bytes;
    enum key key;
  } keys[] = {{"\033[A", KEY_UP},   {"\033OA", KEY_UP},       {"\033[B", KEY_DOWN},
              {"\033OB", KEY_DOWN}, {"\033[5~", KEY_PAGE_UP}, {"\033[6~", KEY_PAGE_DOWN}};
  if (bytes[0] != '\033') return (enum key)(unsigned char)bytes[0];
  for (size_t i = 0; i < COUNT_OF(keys); i++)
    if (strlen(keys[i].bytes) <= n && memcmp(bytes, keys[i].bytes, strlen(keys[i].bytes)) == 0)
      return keys[i].key;
  return KEY_OTHER;
}

/* What one read gives is one key: people type slower than that, and escape sequences come whole. */
enum key terminal_key(void) {
  char bytes[64];
  struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
  if (poll(&in, 1, 0) <= 0) return KEY_NONE;
  ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return KEY_NONE;
  if (n <= 0) return KEY_END_OF_INPUT;
  if (bytes[0] == 4) return KEY_END_OF_INPUT; /* Ctrl-D */
  return bytes[0] ? key_of(bytes, (size_t)n) : KEY_OTHER;
}
