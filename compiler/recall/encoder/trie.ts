/** What a branch that does not exist, or one where no token ends, answers. */
export const NONE = -1;

/**
 * Tokens by their letters, level by level: the branches of node n are the nodes `branches[n]` up to `branches[n + 1]`,
 * in the order of their letters. Ten bytes a node: a map of the same tokens takes twenty times as much.
 */
export interface Trie {
  readonly letters: Uint16Array;
  readonly branches: Int32Array;
  /** The token that ends at a node; NONE where none does. */
  readonly tokens: Int32Array;
}

/** Beyond the basic plane a letter is two units, and the library, which looks for one, never finds such a token. */
const TWO_UNITS = /[\uD800-\uDBFF][\uDC00-\uDFFF]/;

/** Lays a vocabulary out; of equal tokens the last one counts. */
export function layTrie(vocabulary: readonly string[]): Trie {
  const ids = [...vocabulary.keys()].filter((id) => !TWO_UNITS.test(vocabulary[id] ?? ''));
  const wordOf = (place: number) => vocabulary[ids[place] ?? 0] ?? '';
  ids.sort((a, b) => compare(vocabulary[a] ?? '', vocabulary[b] ?? '') || a - b);
  const count = countNodes(ids.length, wordOf);
  const letters = new Uint16Array(count);
  const branches = new Int32Array(count + 1);
  const tokens = new Int32Array(count);
  // the sorted tokens that go on from a node
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

/** The root, and for each token in order the letters that it does not share with the one before. */
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

/** Where a letter leads to from a node; NONE where no token goes on so. */
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
