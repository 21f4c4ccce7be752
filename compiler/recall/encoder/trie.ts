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
  readonly words: readonly string[];
  readonly ranges: Ranges;
  /** How many nodes are laid. */
  count: number;
}

/** Which tokens are at and below each node. */
interface Ranges {
  /** The tokens, of which those of a node lie side by side, ascending. */
  readonly ids: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** How many letters lead to a node. */
  readonly depths: Int32Array;
}

/** A character beyond this is two UTF-16 units; the library looks up one unit and never finds a token with such a one. */
const LAST_UNIT = 0xffff;

/** Opens the trie of a vocabulary, with its root alone; of equal tokens the last one counts. */
export function openTrie(words: readonly string[]): Trie {
  // no trie has more nodes; those that are never laid take no memory
  const most = words.reduce((sum, word) => sum + word.length, 1);
  const numbers = () => new Int32Array(most);
  const ids = Int32Array.from(words.keys());
  const ranges = { ids, from: numbers(), to: numbers(), depths: numbers() };
  const tokens = numbers();
  ranges.to[0] = words.length;
  tokens[0] = words.lastIndexOf('');
  return { letters: new Uint16Array(most), tokens, first: numbers(), end: numbers(), words, ranges, count: 1 };
}

/** Lays the nodes below a node. */
function lay(trie: Trie, node: number): void {
  const { ids, from, to, depths } = trie.ranges;
  const depth = (depths[node] ?? 0) + 1;
  let at = from[node] ?? 0;
  trie.first[node] = trie.count;
  for (const [letter, tokens] of byLetter(trie, node)) {
    const below = trie.count++;
    trie.letters[below] = letter;
    trie.tokens[below] = tokens.findLast((id) => trie.words[id]?.length === depth) ?? NONE;
    depths[below] = depth;
    ids.set(tokens, at);
    from[below] = at;
    at += tokens.length;
    to[below] = at;
  }
  trie.end[node] = trie.count;
}

/** The tokens below a node by their next letter, sorted by it. */
function byLetter({ words, ranges }: Trie, node: number): [letter: number, tokens: number[]][] {
  const { ids, from, to, depths } = ranges;
  const groups = new Map<number, number[]>();
  for (const id of ids.subarray(from[node], to[node])) {
    const letter = words[id]?.codePointAt(depths[node] ?? 0);
    // a token of which no letter is left ends at the node itself
    if (letter === undefined || letter > LAST_UNIT) continue;
    const group = groups.get(letter);
    if (group) group.push(id);
    else groups.set(letter, [id]);
  }
  return [...groups].sort(([one], [other]) => one - other);
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
