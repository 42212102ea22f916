// expect: PASS
// run: --grid 1 --block 32 --arg buf:i32:1:zero --arg i32:5 --expect 0=320
// A list for each thread, nodes from the device's heap.
#include <assert.h>
struct Node { int value; Node *next; };
__global__ void lists(int *sum, int n) {
  Node *head = nullptr;
  for (int i = 0; i < n; i++) {
    Node *x = (Node *)malloc(sizeof(Node));
    assert(x);
    x->value = i;
    x->next = head;
    head = x;
  }
  int s = 0;
  while (head) {
    Node *dead = head;
    s += head->value;
    head = head->next;
    free(dead);
  }
  atomicAdd(sum, s);
}
