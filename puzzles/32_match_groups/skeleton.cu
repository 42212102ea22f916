// expect: RULE
// 32_match_groups - lanes with the same key find each other and send one of them.
//
// Item i goes to the account key[i]: sums[key[i]] shall grow by amount[i]. The check has set all
// sums to 0. There are fewer accounts than items, so lanes of one warp often mean the same one.
//
// The kernel below is right, but each lane sends an atomic operation, and those to the same account
// queue up.
//
// Your task: in each warp, at most one atomic operation for each key that occurs there.
#define FULL 0xffffffffu // all 32 lanes take part

__global__ void book(const int *key, const int *amount, int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int mine = -1; // no account: lanes past the end of the data
  int value = 0;
  if (i < n) {
    mine = key[i];
    value = amount[i];
  }

  // TODO (about 4 lines): find the lanes with my key, add up among them, let one report. lane is
  // for that.
  if (i < n) atomicAdd(&sums[mine], value);
}
