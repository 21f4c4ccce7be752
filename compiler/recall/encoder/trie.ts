/** The result for a missing branch, or a node at which no token ends. */
export const NONE = -1;

/**
 * A trie of tokens in breadth-first order: the children of node n are the nodes from `branches[n]` to `branches[n + 1]`,
 * sorted by letter. Ten bytes a node; a map of the same tokens needs twenty times as much.
 */
export interface Trie {
  readonly letters: Uint16Array;
  readonly branches: Int32Array;
  /** The token that ends at a node; NONE if there is none. */
  readonly tokens: Int32Array;
}

/** A character outside the basic plane is two UTF-16 units; the library looks up one unit and never finds such a token. */
const TWO_UNITS = /[\uD800-\uDBFF][\uDC00-\uDFFF]/;

/** Builds the trie of a vocabulary; of equal tokens the last one counts. */
export function buildTrie(vocabulary: readonly string[]): Trie {
  const ids = new Map<string, number>();
  vocabulary.forEach((word, id) => {
    if (!TWO_UNITS.test(word)) ids.set(word, id);
  });
  // without a function to compare by, which takes most of the time that a model takes to open
  const words = [...ids.keys()].sort();
  const count = countNodes(words);
  const letters = new Uint16Array(count);
  const branches = new Int32Array(count + 1);
  const tokens = new Int32Array(count);
  // the range of sorted tokens below each node
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  to[0] = words.length;
  let laid = 1;
  let level = 1;
  for (let node = 0, depth = 0; node < count; node++) {
    if (node === level) [depth, level] = [depth + 1, laid];
    let at = from[node] ?? 0;
    const end = to[node] ?? 0;
    const first = words[at] ?? '';
    const isToken = first.length === depth;
    tokens[node] = isToken ? (ids.get(first) ?? NONE) : NONE;
    if (isToken) at += 1;
    branches[node] = laid;
    while (at < end) {
      const letter = (words[at] ?? '').charCodeAt(depth);
      letters[laid] = letter;
      from[laid] = at;
      do at += 1;
      while (at < end && (words[at] ?? '').charCodeAt(depth) === letter);
      to[laid] = at;
      laid += 1;
    }
  }
  branches[count] = laid;
  return { letters, branches, tokens };
}

/** The number of nodes: the root, and for each sorted token the letters that it does not share with the previous one. */
function countNodes(words: readonly string[]): number {
  let nodes = 1;
  let before = '';
  for (const word of words) {
    let shared = 0;
    while (shared < word.length && before.charCodeAt(shared) === word.charCodeAt(shared)) shared++;
    nodes += word.length - shared;
    before = word;
  }
  return nodes;
}

/** The child of a node for a letter; NONE if there is none. */
export function follow({ letters, branches }: Trie, node: number, letter: number): number {
  let low = branches[node] ?? 0;
  let high = branches[node + 1] ?? 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = letters[middle] ?? 0;
    if (found === letter) return middle;
    if (found < letter) low = middle + 1;
    else high = middle;
  }
  return NONE;
}
