/* main.c - the program warplings-box: opens archives and compiles sources for the grader, inside
 * its sandbox. Reads requests (box.h) from standard input and answers on standard output. */
#include <stdlib.h>
#include "box/box.h"

int main(void) {
  struct strbuf in = {0}, out = {0};
  u32 type;
  while (box_receive(&in, &type, BOX_REQUEST_MAX)) {
    struct box_reader r = {.rest = {in.p ? in.p : "", in.n}};
    out.n = 0;
    if (type == BOX_UNPACK)
      box_unpack(&r, &out);
    else if (type == BOX_COMPILE)
      box_compile(&r, &out);
    else if (type != BOX_HELLO)
      exit(4);
    box_send(type, &out);
  }
  return 0;
}
