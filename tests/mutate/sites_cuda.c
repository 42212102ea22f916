/* sites_cuda.c - calls of CUDA C++ that synchronize, memory orders and scopes. */
#include <ctype.h>
#include <string.h>
#include "mutate/sites_parts.h"

enum how {
  AWAY,   /* f(x) -> (void)0 */
  BARE,   /* f(x) -> (x): the value remains, nobody waits */
  METHOD, /* o.f(x) -> o, (void)(x) */
  TOKEN   /* the same where nobody uses the result */
};
static const struct {
  const char *name;
  enum how how;
} calls[] = {
    {"__syncthreads", AWAY},
    {"__syncthreads_and", BARE},
    {"__syncthreads_or", BARE},
    {"__syncthreads_count", BARE},
    {"__syncwarp", AWAY},
    {"__threadfence", AWAY},
    {"__threadfence_block", AWAY},
    {"__threadfence_system", AWAY},
    {"atomic_thread_fence", AWAY},
    {"__pipeline_commit", AWAY},
    {"__barrier_sync", AWAY},
    {"__pipeline_wait_prior", AWAY},
    {"wait_prior", AWAY},
    {"pipeline_consumer_wait_prior", AWAY},
    {"sync", METHOD},
    {"wait", METHOD},
    {"arrive_and_wait", METHOD},
    {"barrier_wait", METHOD},
    {"wait_parity", METHOD},
    {"producer_acquire", METHOD},
    {"producer_commit", METHOD},
    {"consumer_wait", METHOD},
    {"consumer_release", METHOD},
    {"acquire", METHOD},
    {"release", METHOD},
    {"count_down", METHOD},
    {"arrive", TOKEN},
    {"barrier_arrive", TOKEN},
    {"arrive_and_drop", METHOD},
    {"barrier_arrive_tx", TOKEN},
    {"cp_async_bulk_wait_group", AWAY},
    {"cp_async_bulk_wait_group_read", AWAY},
    {"fence_proxy_async_shared_cta", AWAY},
    {"fence_proxy_async", AWAY},
    {"cp_async_bulk_commit_group", AWAY},
};
static const char *const atomics[] = {"atomicAdd", "atomicSub", "atomicExch", "atomicMin",
                                      "atomicMax", "atomicInc", "atomicDec",  "atomicCAS",
                                      "atomicAnd", "atomicOr",  "atomicXor"};

static size_t skip_space(const char *p, size_t i) {
  while (isspace((unsigned char)p[i])) i++;
  return i;
}

/* Behind the bracket that closes the one at i; 0: none does. */
static size_t past_bracket(const char *p, size_t i) {
  int depth = 0;
  for (; p[i]; i++) {
    depth += (strchr("([{", p[i]) != NULL) - (strchr(")]}", p[i]) != NULL);
    if (depth == 0) return i + 1;
  }
  return 0;
}

/* The first character in front of i that is no blank; 0 at the beginning. */
static char before(const char *p, size_t i) {
  while (i > 0 && isspace((unsigned char)p[i - 1])) i--;
  return i > 0 ? p[i - 1] : 0;
}

/* Where the name that ends at i begins, with cg:: and the like. */
static size_t name_start(const char *p, size_t i) {
  while (i > 0 && (site_word_char(p[i - 1]) || (p[i - 1] == ':' && i > 1 && p[i - 2] == ':') ||
                   (p[i - 1] == ':' && p[i] == ':')))
    i--;
  return i;
}

/* Where the object in front of ".f" or "->f" begins: words, brackets, further dots. */
static size_t object_start(const char *p, size_t i) {
  while (i > 0) {
    char c = p[i - 1];
    if (site_word_char(c) || strchr(".:>", c) || (c == '-' && p[i] == '>')) {
      i--;
    } else if (c == ')' || c == ']') {
      int depth = 0;
      do {
        i--;
        depth += (p[i] == ')' || p[i] == ']') - (p[i] == '(' || p[i] == '[');
      } while (i > 0 && depth > 0);
    } else {
      break;
    }
  }
  return i;
}

static bool is_statement(const char *p, size_t from) {
  char c = before(p, from);
  return c == 0 || strchr(";{})", c) != NULL;
}

/* ---- calls ---- */
static void call(struct site_scan *s, enum how how, size_t from, size_t open, size_t end) {
  const char *p = s->code;
  size_t start = name_start(p, from);
  bool is_method = start > 0 && (p[start - 1] == '.' ||
                                 (p[start - 1] == '>' && start > 1 && p[start - 2] == '-'));
  bool is_definition = start > 0 && before(p, start) && site_word_char(before(p, start));
  if (is_method) {
    if (how != METHOD && how != TOKEN) return;
    size_t dot = start - (p[start - 1] == '.' ? 1 : 2);
    size_t object = object_start(p, dot);
    if (how == TOKEN && !is_statement(p, object)) return;
    bool empty = skip_space(p, open + 1) == end - 1;
    site_add(s, SITE_WAIT, dot, empty ? end : open + 1, empty ? "" : ", (void)(",
             site_text(s, object, end));
  } else if (how == AWAY || start < from) {
    if ((how == TOKEN && !is_statement(p, start)) || is_definition) return;
    site_add(s, SITE_WAIT, start, end, "(void)0", site_text(s, start, end));
  } else if (how == BARE) {
    site_add(s, SITE_WAIT, start, open, "", site_text(s, start, end));
  }
}

/* f(x) or f<3>(x) at `from`: where "(" is; 0: no call. */
static size_t open_of(const char *p, size_t end_of_name) {
  size_t i = skip_space(p, end_of_name);
  if (p[i] == '<') {
    while (p[i] && !strchr(">;", p[i])) i++;
    i = skip_space(p, i + 1);
  }
  return p[i] == '(' ? i : 0;
}

/* ---- orders and scopes ---- */
static void swap(struct site_scan *s, enum site_kind kind, size_t from, size_t to, const char *by) {
  site_add(s, kind, from, to, by, arena_printf(s->a, "%s -> %s", site_text(s, from, to), by));
}

static void order(struct site_scan *s, size_t from, size_t to, str name) {
  static const char *const prefixes[] = {"memory_order_", "memory_order::"};
  for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
    size_t n = strlen(prefixes[i]);
    str rest = {name.p + n, name.n - n};
    if (!str_starts(name, prefixes[i])) continue;
    bool both = str_eqz(rest, "acq_rel");
    if (both || str_eqz(rest, "acquire") || str_eqz(rest, "release") || str_eqz(rest, "seq_cst"))
      swap(s, SITE_ORDER, from, to, arena_printf(s->a, "%srelaxed", prefixes[i]));
    if (both) swap(s, SITE_ORDER, from, to, arena_printf(s->a, "%sacquire", prefixes[i]));
    if (both) swap(s, SITE_ORDER, from, to, arena_printf(s->a, "%srelease", prefixes[i]));
  }
}

static void scope(struct site_scan *s, size_t from, size_t to, str name, bool called) {
  if (str_eqz(name, "thread_scope_device") || str_eqz(name, "thread_scope_system"))
    swap(s, SITE_SCOPE, from, to, "thread_scope_block");
  if (called && (str_eqz(name, "__threadfence") || str_eqz(name, "__threadfence_system")))
    swap(s, SITE_SCOPE, from, to, "__threadfence_block");
  for (size_t i = 0; called && i < COUNT_OF(atomics); i++)
    if (str_eqz(name, atomics[i]))
      swap(s, SITE_SCOPE, from, to, arena_printf(s->a, "%s_block", atomics[i]));
}

/* ---- helpers ---- */
static bool synchronizes(const struct site_scan *s, size_t from, size_t to, u32 known) {
  for (u32 i = 0; i < known; i++)
    if (s->out->list[i].kind != SITE_SCOPE && s->out->list[i].from >= from &&
        s->out->list[i].to <= to)
      return true;
  return false;
}

static void helper_calls(struct site_scan *s, str name) {
  const char *p = s->code;
  for (size_t i = 0; i + name.n < s->text.n; i++) {
    if (memcmp(p + i, name.p, name.n) != 0 || (i > 0 && site_word_char(p[i - 1])) ||
        site_word_char(p[i + name.n]))
      continue;
    size_t open = open_of(p, i + name.n), end = open ? past_bracket(p, open) : 0;
    if (end && is_statement(p, i))
      site_add(s, SITE_HELPER, i, end, "(void)0", site_text(s, i, end));
  }
}

/* __device__ ... void NAME(...) { something of the list }: its calls can go as well. */
static void helpers(struct site_scan *s) {
  const char *p = s->code;
  u32 known = s->out->count;
  for (size_t i = 0; i + 4 < s->text.n; i++) {
    if (!site_word_at(p, i + 3, "void") || site_word_char(p[i + 4])) continue;
    size_t from = skip_space(p, i + 4), to = from, head = i;
    while (site_word_char(p[to])) to++;
    size_t close = p[to] == '(' ? past_bracket(p, to) : 0;
    size_t body = close ? skip_space(p, close) : 0;
    if (!body || p[body] != '{') continue;
    while (head > 0 && !strchr(";}", p[head - 1])) head--;
    if (!str_has((str){p + head, i - head}, "__device__")) continue;
    size_t end = past_bracket(p, body);
    if (end && synchronizes(s, body, end, known)) helper_calls(s, (str){p + from, to - from});
  }
}

void site_scan_cuda(struct site_scan *s) {
  const char *p = s->code;
  for (size_t i = 0; i < s->text.n;) {
    size_t to = i;
    while (site_word_char(p[to])) to++;
    if (to == i) {
      i++;
      continue;
    }
    if (to == i + 12 && memcmp(p + i, "memory_order::", 14) == 0)
      for (to += 2; site_word_char(p[to]);) to++;
    str name = {p + i, to - i};
    size_t open = open_of(p, to), end = open ? past_bracket(p, open) : 0, next = to;
    for (size_t k = 0; end && k < COUNT_OF(calls); k++)
      if (str_eqz(name, calls[k].name)) call(s, calls[k].how, i, open, end);
    if (end && str_eqz(name, "atomic_thread_fence")) next = end;
    order(s, i, to, name);
    scope(s, i, to, name, end != 0);
    i = next;
  }
  helpers(s);
}

/* ---- kernels ---- */
/* __global__ void __launch_bounds__(...) NAME(...) { ... }: where the body begins; 0: there is
 * none. */
static size_t body_of_kernel(const char *p, size_t i, str *name) {
  while (p[i] && !strchr(";{", p[i])) {
    size_t to = i;
    while (site_word_char(p[to])) to++;
    if (to == i) {
      i++;
      continue;
    }
    size_t open = skip_space(p, to), close = p[open] == '(' ? past_bracket(p, open) : 0;
    if (close && p[skip_space(p, close)] == '{') {
      *name = (str){p + i, to - i};
      return skip_space(p, close);
    }
    i = close ? close : to;
  }
  return 0;
}

void site_name_kernels(struct site_scan *s) {
  const char *p = s->code;
  for (size_t i = 0; i < s->text.n; i++) {
    str name;
    if (!site_word_at(p, i, "__global__")) continue;
    size_t body = body_of_kernel(p, i + 1, &name), end = body ? past_bracket(p, body) : 0;
    for (u32 k = 0; end && k < s->out->count; k++)
      if (s->out->list[k].from >= body && s->out->list[k].to <= end) s->out->list[k].kernel = name;
  }
}
