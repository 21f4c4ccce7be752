import type { ScoredIndex } from '../index/search-index.ts';
import { nearnessOf } from '../rank/least-score.ts';
import { totalsOf } from '../rank/rank.ts';
import { highest, INT8, type Vectors } from '../signals/semantic.ts';
import { topK } from '../signals/top-k.ts';
import { layRows } from '../signals/vector-scan.ts';

/** The share of everyday prompts that may seem to fit a garden. */
const SEEMING = 0.15;

/** The most prompts whose vectors an index has: those that its units score highest, since others do not seem to fit. */
const MOST_ROWS = 128;

/** From this cosine with a trigger, a phrase or a title on, a prompt is what a unit is for, and does not count. */
const OWN = 0.6;

/** An everyday prompt with its vector; null where the index has none, or the encoder knows nothing of it. */
export interface EverydayPrompt {
  readonly text: string;
  readonly query: Int8Array | null;
}

/** The part of a garden's index that comes from the everyday prompts. */
export interface Everyday {
  /** Vectors of the prompts that intents are compared with. */
  readonly rows: readonly Int8Array[];
  /** The least score of the best unit that is not low, before nearness to the prompts is added; in millionths. */
  readonly low_confidence: number;
}

/** Asks a garden the everyday prompts, and sets its threshold by how well its units seem to fit them. */
export function measureEveryday(index: ScoredIndex, prompts: readonly EverydayPrompt[]): Everyday {
  const { vectors } = index;
  const asked = prompts.filter(({ query }) => vectors === null || (query !== null && !isOwn(vectors, query)));
  const scores = Int32Array.from(asked, ({ text, query }) => highest(totalsOf(index, text, query)));
  const kept = vectors ? topK(scores, MOST_ROWS) : [];
  const rows = kept.flatMap((prompt) => asked[prompt]?.query ?? []);
  const scan = scannerOf(rows);
  const fits = asked.map(({ query }, prompt) => {
    const products = query === null ? new Int32Array() : scan(query);
    return (scores[prompt] ?? 0) - nearnessOf(products, (row) => kept[row] !== prompt);
  });
  fits.sort((a, b) => a - b);
  return { rows, low_confidence: fits[Math.floor((1 - SEEMING) * fits.length)] ?? 0 };
}

/** Whether a prompt is near to what a unit says of itself. */
function isOwn({ rows, starts, texts }: Vectors, query: Int8Array): boolean {
  const dots = rows.scannerFor(query)(0, starts.at(-1) ?? 0);
  return texts.some((count, unit) => highest(dots, starts[unit], (starts[unit + 1] ?? 0) - count) >= OWN * INT8 * INT8);
}

function scannerOf(rows: readonly Int8Array[]): (query: Int8Array) => Int32Array {
  const [first] = rows;
  if (first === undefined) return () => new Int32Array();
  const bytes = new Int8Array(rows.length * first.length);
  rows.forEach((row, at) => {
    bytes.set(row, at * first.length);
  });
  const laid = layRows(bytes, first.length);
  return (query) => laid.scannerFor(query)(0, laid.count).subarray(0, laid.count);
}
