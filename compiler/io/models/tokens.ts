import cl100k from 'js-tiktoken/ranks/cl100k_base';

/** Longer pieces are counted in slices: merging them whole would take quadratic time. */
const MAX_PIECE = 400;

/** Counts of pieces seen before; instruction texts repeat themselves. */
const CACHED_PIECES = 50_000;

let ranks: ReadonlyMap<string, number> | undefined;
const pattern = new RegExp(cl100k.pat_str, 'ug');
const counts = new Map<string, number>();

/**
 * cl100k tokens of a text (§21.1.2, §21.2.1): the sum over its pieces, as the encoding itself cuts them.
 * Text that looks like a special token is counted as text. The tables are loaded at the first call.
 */
export function countTokens(text: string): number {
  let total = 0;
  for (const [piece] of text.matchAll(pattern)) {
    for (let from = 0; from < piece.length; from += MAX_PIECE) total += countPiece(piece.slice(from, from + MAX_PIECE));
  }
  return total;
}

function countPiece(piece: string): number {
  const known = counts.get(piece);
  if (known !== undefined) return known;
  ranks ??= readRanks();
  const bytes = Buffer.from(piece).toString('latin1');
  const count = ranks.has(bytes) ? 1 : mergedParts(bytes, ranks);
  if (counts.size >= CACHED_PIECES) counts.clear();
  counts.set(piece, count);
  return count;
}

/** Every token's bytes, as latin1, with its rank. A line of the table is `! <first rank> <base64> …`. */
function readRanks(): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of cl100k.bpe_ranks.split('\n').filter((it) => it !== '')) {
    const [, first, ...tokens] = line.split(' ');
    for (const [i, token] of tokens.entries()) {
      found.set(Buffer.from(token, 'base64').toString('latin1'), Number(first) + i);
    }
  }
  return found;
}

/**
 * How many parts are left when the pair of the lowest rank is merged, the first of several, until none has a rank.
 * js-tiktoken's own merge builds every pair's key anew in every round, which takes minutes for hostile text.
 */
function mergedParts(bytes: string, of: ReadonlyMap<string, number>): number {
  const starts = Array.from({ length: bytes.length + 1 }, (_, i) => i);
  const rank = (i: number) => of.get(bytes.slice(starts[i], starts[i + 2])) ?? Infinity;
  const pairs = starts.slice(2).map((_, i) => rank(i));
  for (;;) {
    let lowest = 0;
    for (let i = 1; i < pairs.length; i++) if ((pairs[i] ?? Infinity) < (pairs[lowest] ?? Infinity)) lowest = i;
    if ((pairs[lowest] ?? Infinity) === Infinity) return starts.length - 1;
    starts.splice(lowest + 1, 1);
    pairs.splice(lowest, 1);
    if (lowest < pairs.length) pairs[lowest] = rank(lowest);
    if (lowest > 0) pairs[lowest - 1] = rank(lowest - 1);
  }
}
