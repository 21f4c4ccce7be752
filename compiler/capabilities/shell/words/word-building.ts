import type { Field } from './field.ts';
import { MAX_ALTERNATIVES } from './limits.ts';

/** One thing that a part of a word may become. */
export type Piece =
  /** Text that stays in its word. */
  | { readonly kind: 'text'; readonly text: Field }
  /** Text whose spaces end words. */
  | { readonly kind: 'split'; readonly text: Field }
  /** Several words, such as of `"$@"`. */
  | { readonly kind: 'words'; readonly words: readonly Field[] };

/** The words that a sequence of pieces becomes. */
export function build(pieces: readonly Piece[]): Field[] {
  const words: Field[] = [];
  let current: Field | null = null;
  const end = () => {
    if (current !== null) words.push(current);
    current = null;
  };
  const add = (text: Field) => {
    current = (current ?? '') + text;
  };
  for (const piece of pieces) {
    if (piece.kind === 'text') add(piece.text);
    else if (piece.kind === 'words') joinWords(piece.words, add, end);
    else splitText(piece.text, add, end);
  }
  end();
  return words;
}

function joinWords(words: readonly Field[], add: (text: Field) => void, end: () => void): void {
  for (const [at, word] of words.entries()) {
    if (at > 0) end();
    add(word);
  }
}

function splitText(text: Field, add: (text: Field) => void, end: () => void): void {
  for (const [at, word] of text.split(/[ \t\n]+/).entries()) {
    if (at > 0) end();
    if (word !== '') add(word);
  }
}

/** Every combination of one option of each list; null if there are more than are followed. */
export function combine<T>(lists: readonly (readonly T[])[]): T[][] | null {
  let all: T[][] = [[]];
  for (const list of lists) {
    if (all.length * list.length > MAX_ALTERNATIVES) return null;
    // one option is added in place: most words have one, and a long command has many words
    const [only] = list;
    if (list.length === 1 && only !== undefined) for (const it of all) it.push(only);
    else all = all.flatMap((it) => list.map((next) => [...it, next]));
  }
  return all;
}
