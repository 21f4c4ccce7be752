import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';

/** Longer pieces are counted in slices: merging them whole would take quadratic time. */
const MAX_PIECE = 400;

/** Counts of pieces seen before; instruction texts repeat themselves. */
const CACHED_PIECES = 50_000;

let encoding: Tiktoken | undefined;
const pattern = new RegExp(cl100k.pat_str, 'ug');
const counts = new Map<string, number>();

/**
 * cl100k tokens of a text (§21.1.2, §21.2.1): the sum over its pieces, as the encoding itself cuts them.
 * Text that looks like a special token is counted as text. The tables are loaded at the first call.
 */
export function countTokens(text: string): number {
  let total = 0;
  for (const [piece] of text.matchAll(pattern)) total += counts.get(piece) ?? countPiece(piece);
  return total;
}

function countPiece(piece: string): number {
  encoding ??= new Tiktoken(cl100k);
  let count = 0;
  for (let from = 0; from < piece.length; from += MAX_PIECE) {
    count += encoding.encode(piece.slice(from, from + MAX_PIECE), [], []).length;
  }
  if (counts.size >= CACHED_PIECES) counts.clear();
  counts.set(piece, count);
  return count;
}
