/** Packs a score and a number into one sortable key: a higher score wins, then a lower number. */
const SPAN = 2 ** 31;
const keyOf = (score: number, number: number) => score * SPAN + (SPAN - 1 - number);
const scoreOf = (key: number) => Math.floor(key / SPAN);
const numberOf = (key: number) => SPAN - 1 - (key % SPAN);

/**
 * The numbers with the highest positive scores, best first, ties by number; at most `depth`. Does not sort all scores.
 *
 * @param usable called only for numbers with a score that is high enough
 */
export function topK(scores: Int32Array, depth: number, usable: (number: number) => boolean = () => true): number[] {
  // a heap with the lowest of the selected keys on top
  const heap = new Float64Array(Math.min(depth, scores.length));
  let size = 0;
  let least = 0;
  for (let number = 0; number < scores.length; number++) {
    const score = scores[number] ?? 0;
    if (score <= least || !usable(number)) continue;
    if (size < heap.length) rise(heap, size++, keyOf(score, number));
    else sink(heap, keyOf(score, number));
    if (size === heap.length) least = scoreOf(heap[0] ?? 0);
  }
  return Array.from(heap.subarray(0, size).sort().reverse(), numberOf);
}

/** Inserts a key at the first free place and restores the heap upwards. */
function rise(heap: Float64Array, free: number, key: number): void {
  let place = free;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if ((heap[parent] ?? 0) <= key) break;
    heap[place] = heap[parent] ?? 0;
    place = parent;
  }
  heap[place] = key;
}

/** Replaces the lowest key and restores the heap downwards. */
function sink(heap: Float64Array, key: number): void {
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
    if ((heap[child] ?? 0) >= key) break;
    heap[place] = heap[child] ?? 0;
    place = child;
  }
  heap[place] = key;
}
