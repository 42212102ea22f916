// expect: RACE line 29
// 44_ticket_queue - one counter hands out the tasks: who is free takes the next.
//
// Task t is to count the steps that number[t] needs to reach 1 (see collatz below). Nobody knows
// beforehand how many that will be, so no thread gets a fixed share: each thread draws a ticket,
// does the task with that number, and draws again, until the tickets run out. The check launches
// open_queue with one thread, then serve with any number of threads, then both again for another
// set of tasks.
//
// Your task: the queue has to be opened at ticket 0, and no ticket may be drawn twice. Leave the
// counter in *next at or above `tasks` at the end: all tickets come from there. About 3 lines.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void open_queue(int *next) {
  // TODO (1 line): the first ticket is number 0
}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks) {
  while (true) {
    int ticket = *next; // TODO (about 2 lines): two threads may read the same number
    *next = ticket + 1;
    if (ticket >= tasks) break;
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1; // the check looks here: every task exactly once
  }
}
