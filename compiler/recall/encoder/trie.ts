/** The result for a missing branch, or a node at which no token ends. */
export const NONE = -1;

/**
 * A trie of tokens. The nodes below a node lie side by side, sorted by letter. They are laid when they are first asked for: who
 * splits one sentence needs few of them. A node takes 26 bytes; a map of the same tokens needs eight times as much.
 */
export interface Trie {
  readonly letters: Uint16Array;
  /** The token that ends at a node; NONE if there is none. */
  readonly tokens: Int32Array;
  /** The nodes below a node: the first of them, and the one behind the last. 0 until they are laid: the root is below none. */
  readonly first: Int32Array;
  readonly end: Int32Array;
  readonly sorted: SortedTokens;
  /** How many nodes are laid. */
  count: number;
}

/** The tokens in their order, and those of them at and below each node. */
interface SortedTokens {
  readonly words: readonly string[];
  readonly ids: ReadonlyMap<string, number>;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** How many letters lead to a node. */
  readonly depths: Int32Array;
}

/** A character outside the basic plane is two UTF-16 units; the library looks up one unit and never finds such a token. */
const TWO_UNITS = /[\uD800-\uDBFF][\uDC00-\uDFFF]/;

/** Opens the trie of a vocabulary, with its root alone; of equal tokens the last one counts. */
export function openTrie(vocabulary: readonly string[]): Trie {
  const ids = new Map<string, number>();
  vocabulary.forEach((word, id) => {
    if (!TWO_UNITS.test(word)) ids.set(word, id);
  });
  // without a function to compare by, which takes most of the time that a model takes to open
  const words = [...ids.keys()].sort();
  // no trie has more nodes; those that are never laid take no memory
  const most = words.reduce((sum, word) => sum + word.length, 1);
  const numbers = () => new Int32Array(most);
  const sorted = { words, ids, from: numbers(), to: numbers(), depths: numbers() };
  const tokens = numbers();
  sorted.to[0] = words.length;
  tokens[0] = ids.get('') ?? NONE;
  return { letters: new Uint16Array(most), tokens, first: numbers(), end: numbers(), sorted, count: 1 };
}

/** Lays the nodes below a node. */
function lay(trie: Trie, node: number): void {
  const { words, ids, from, to, depths } = trie.sorted;
  const depth = depths[node] ?? 0;
  const end = to[node] ?? 0;
  // a token that ends here is the first one of its range
  let at = (from[node] ?? 0) + (trie.tokens[node] === NONE ? 0 : 1);
  trie.first[node] = trie.count;
  while (at < end) {
    const below = trie.count++;
    const word = words[at] ?? '';
    const letter = word.charCodeAt(depth);
    trie.letters[below] = letter;
    trie.tokens[below] = word.length === depth + 1 ? (ids.get(word) ?? NONE) : NONE;
    depths[below] = depth + 1;
    from[below] = at;
    do at += 1;
    while (at < end && (words[at] ?? '').charCodeAt(depth) === letter);
    to[below] = at;
  }
  trie.end[node] = trie.count;
}

/** The child of a node for a letter; NONE if there is none. */
export function follow(trie: Trie, node: number, letter: number): number {
  if (trie.first[node] === 0) lay(trie, node);
  let low = trie.first[node] ?? 0;
  let high = trie.end[node] ?? 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = trie.letters[middle] ?? 0;
    if (found === letter) return middle;
    if (found < letter) low = middle + 1;
    else high = middle;
  }
  return NONE;
}
