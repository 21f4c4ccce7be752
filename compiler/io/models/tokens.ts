import { createRequire } from 'node:module';
import type cl100k from 'js-tiktoken/ranks/cl100k_base';
import { z } from 'zod';
import type { CountTokens } from '../../schema/count-tokens.ts';
import type { KeptResults } from '../../schema/kept-results.ts';

/** Longer pieces are counted in slices, since merging takes quadratic time. */
const MAX_PIECE = 400;

/** The size of the cache of counts; instruction texts repeat the same pieces. */
const CACHED_PIECES = 50_000;

/** The encoding: a megabyte, which a run without a new text does not load. */
interface Encoding {
  readonly ranks: ReadonlyMap<string, number>;
  readonly pattern: RegExp;
}

const require = createRequire(import.meta.url);
let encoding: Encoding | undefined;
const counts = new Map<string, number>();

function openEncoding(): Encoding {
  const { pat_str, bpe_ranks } = require('js-tiktoken/ranks/cl100k_base') as typeof cl100k;
  return { ranks: readRanks(bpe_ranks), pattern: new RegExp(pat_str, 'ug') };
}

/** Counts a text once, as long as its count is kept. */
export function countKept(kept: KeptResults | null): CountTokens {
  if (kept === null) return countTokens;
  return (text) => {
    const known = kept.find('tokens', text, z.int().nonnegative());
    if (known !== null) return known;
    const count = countTokens(text);
    kept.keep('tokens', text, count);
    return count;
  };
}

/**
 * The number of cl100k tokens of a text (§21.1.2, §21.2.1): the sum over the pieces that the encoding splits it into.
 * Text that looks like a special token is counted as text. The tables are loaded at the first call.
 */
export function countTokens(text: string): number {
  encoding ??= openEncoding();
  const { ranks, pattern } = encoding;
  let total = 0;
  for (const [piece] of text.matchAll(pattern)) {
    for (let from = 0; from < piece.length; from += MAX_PIECE) {
      total += countPiece(piece.slice(from, from + MAX_PIECE), ranks);
    }
  }
  return total;
}

function countPiece(piece: string, ranks: Encoding['ranks']): number {
  const known = counts.get(piece);
  if (known !== undefined) return known;
  const bytes = Buffer.from(piece);
  const count = ranks.has(bytes.toString('base64')) ? 1 : mergedParts(bytes, ranks);
  if (counts.size >= CACHED_PIECES) counts.clear();
  counts.set(piece, count);
  return count;
}

/**
 * Every token with its rank, in base64 as the table has it: to decode a hundred thousand takes as long as all counts of
 * a small compile. A line of the table is `! <first rank> <base64> …`.
 */
function readRanks(table: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of table.split('\n').filter((it) => it !== '')) {
    const [, first, ...tokens] = line.split(' ');
    for (const [i, token] of tokens.entries()) found.set(token, Number(first) + i);
  }
  return found;
}

/**
 * The number of parts after byte pair encoding: it merges the first pair of the lowest rank until no pair has a rank.
 * js-tiktoken's own merge builds every pair's key again in every round, which takes minutes for hostile text.
 */
function mergedParts(bytes: Buffer, of: ReadonlyMap<string, number>): number {
  const starts = Array.from({ length: bytes.length + 1 }, (_, i) => i);
  const rank = (i: number) => of.get(bytes.toString('base64', starts[i], starts[i + 2])) ?? Infinity;
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
