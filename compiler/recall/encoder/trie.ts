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
  const ids = [...vocabulary.keys()].filter((id) => !TWO_UNITS.test(vocabulary[id] ?? ''));
  const wordOf = (place: number) => vocabulary[ids[place] ?? 0] ?? '';
  ids.sort((a, b) => compare(vocabulary[a] ?? '', vocabulary[b] ?? '') || a - b);
  const count = countNodes(ids.length, wordOf);
  const letters = new Uint16Array(count);
  const branches = new Int32Array(count + 1);
  const tokens = new Int32Array(count);
  // the range of sorted tokens below each node
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  to[0] = ids.length;
  let laid = 1;
  let level = 1;
  for (let node = 0, depth = 0; node < count; node++) {
    if (node === level) [depth, level] = [depth + 1, laid];
    let at = from[node] ?? 0;
    const end = to[node] ?? 0;
    tokens[node] = NONE;
    for (; at < end && wordOf(at).length === depth; at++) tokens[node] = ids[at] ?? NONE;
    branches[node] = laid;
    while (at < end) {
      const letter = wordOf(at).charCodeAt(depth);
      [letters[laid], from[laid]] = [letter, at];
      while (at < end && wordOf(at).charCodeAt(depth) === letter) at++;
      to[laid++] = at;
    }
  }
  branches[count] = laid;
  return { letters, branches, tokens };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The number of nodes: the root, and for each sorted token the letters that it does not share with the previous one. */
function countNodes(words: number, wordOf: (place: number) => string): number {
  let nodes = 1;
  for (let place = 0; place < words; place++) {
    const before = place === 0 ? '' : wordOf(place - 1);
    const word = wordOf(place);
    let shared = 0;
    while (shared < word.length && before.charCodeAt(shared) === word.charCodeAt(shared)) shared++;
    nodes += word.length - shared;
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
