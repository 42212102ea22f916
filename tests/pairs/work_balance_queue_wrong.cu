// expect: DEADLOCK line 10
// run: --grid 4 --block 32 --arg buf:i32:200:=1 --arg buf:i32:2:=0,1 --arg buf:i32:1:=1 --arg buf:i32:1:zero
// Work makes work: a block takes node i and adds 2i and 2i+1 while below 128; `open` counts unfinished.
__global__ void tree(int *item, int *ends, int *open, int *visited) {
  if (threadIdx.x != 0) return;
  int *head = &ends[0], *tail = &ends[1];
  for (;;) {
    int at = atomicAdd(head, 0);
    if (at >= atomicAdd(tail, 0)) {
      if (atomicAdd(open, 0) == 0) return;
      __nanosleep(50);
      continue;
    }
    int node = atomicAdd(&item[at], 0);
    if (node == 0) continue;
    if (atomicCAS(head, at, at + 1) != at) continue;
    atomicAdd(visited, 1);
    for (int c = 2 * node; c <= 2 * node + 1; c++)
      if (c < 128) {
        int p = atomicAdd(tail, 1);
        atomicExch(&item[p], c);
      }
    atomicSub(open, 1);
  }
}
