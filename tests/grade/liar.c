/* liar.c - stands in for warplings-vm in test_grade.c: speaks the protocol, runs nothing, claims
 * that all is well, and spoils some of its answers. The grader must never take its word for a pass,
 * and never stumble over its bytes. Made with -DEMPTY=... : the bytes of a verdict without
 * findings, which only the grader's own code can write. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "box/box.h"
#include "vm/vm.h"

static const unsigned char empty[] = {EMPTY};
static u64 state;

static u64 next(void) {
  state += 0x9e3779b97f4a7c15;
  u64 z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  return z ^ (z >> 27);
}

static void put_ok(struct strbuf *b) {
  struct diag none = {0};
  box_put_u32(b, 1);
  box_put_diag(b, &none);
}

/* __global__ void count_above(const int *reading, int n, int limit, int *count) */
static void put_outline(struct strbuf *b) {
  static const u32 params[][3] = {{T_U64, 8, 0}, {T_U32, 4, 8}, {T_U32, 4, 12}, {T_U64, 8, 16}};
  put_ok(b);
  box_put_u32(b, 1);
  box_put_text(b, STR("_Z11count_abovePKiiiPi"));
  box_put_text(b, STR("count_above(int const*, int, int, int*)"));
  box_put_u32(b, 24);
  box_put_u32(b, 4);
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) box_put_u32(b, params[i][k]);
}

static void put_view(struct box_reader *r, struct strbuf *b) {
  u32 what = box_get_u32(r);
  box_get_u64(r);
  u64 n = box_get_u64(r);
  char *bytes = calloc(1, n + 1);
  for (u64 i = 0; i < n; i++) bytes[i] = what ? 1 : (char)(next() % 4 == 0 ? next() : 0);
  put_ok(b);
  box_put_text(b, (str){bytes, n});
  free(bytes);
}

static void put_launch(struct strbuf *b) {
  struct diag none = {0};
  struct vm_counters c = {0};
  box_put_u32(b, VM_DONE);
  box_put_diag(b, &none);
  box_put_text(b, (str){(const char *)&c, sizeof c});
  box_put_text(b, (str){(const char *)empty, sizeof empty});
  box_put_u64(b, 0);
}

static void spoil(struct strbuf *b) {
  switch (next() % 50) {
  case 0: b->n = b->n ? next() % b->n : 0; break;
  case 1: strbuf_add(b, "too much", 8); break;
  case 2:
  case 3:
    for (u64 i = 0; i < 1 + next() % 4 && b->n; i++) b->p[next() % b->n] = (char)next();
    break;
  case 4:
    if (b->n >= 8) memset(b->p + next() % (b->n - 7), 0xff, 8); /* lengths that would wrap */
    break;
  default: break;
  }
}

int main(void) {
  struct strbuf in = {0}, out = {0};
  u32 type;
  while (box_receive(&in, &type, BOX_REQUEST_MAX)) {
    struct box_reader r = {.rest = {in.p ? in.p : "", in.n}};
    struct diag none = {0};
    out.n = 0;
    state ^= str_hash(r.rest) * 3; /* the inputs differ from run to run, so do the lies */
    switch (type) {
    case BOX_LOAD: put_outline(&out); break;
    case BOX_ALLOC:
      box_put_u64(&out, 256 + next() % 100000 * 256);
      box_put_diag(&out, &none);
      break;
    case BOX_VIEW: put_view(&r, &out); break;
    case BOX_LAUNCH: put_launch(&out); break;
    case BOX_HELLO:
    case BOX_RESIZE:
    case BOX_DESTROY: break;
    default: put_ok(&out); break;
    }
    if (type != BOX_HELLO) spoil(&out);
    box_send(type, &out);
  }
  return 0;
}
