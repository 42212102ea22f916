// expect: PASS
// run: --grid 2 --block 32 --arg buf:u64:128:zero --arg buf:u32:64:=1..10,1..10,1..10,1..10,1..10,1..10 --arg i32:60
// Key and value in one 64-bit word: the table maps a key to the largest value seen.
typedef unsigned long long u64;
struct Entry { unsigned value, key; };
union Slot { u64 word; Entry e; };
__global__ void putMax(u64 *table, const unsigned *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Slot mine;
  mine.e.key = in[i];
  mine.e.value = i;
  for (unsigned s = in[i] * 2654435761u >> 25;; s = (s + 1) % 128) {
    Slot seen;
    seen.word = atomicCAS(&table[s], 0ull, mine.word);
    if (seen.word == 0) return;
    if (seen.e.key == mine.e.key) {
      atomicMax(&table[s], mine.word);
      return;
    }
  }
}
