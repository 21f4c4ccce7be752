import type { RecallGarden } from '../../recall/recall-garden.ts';
import { quantise, type Encoder, type Vectors } from '../../recall/signals/semantic.ts';
import { isNearCopy, NEAR, stemsIn } from '../near-copy.ts';
import type { JudgedUnit } from './judged-unit.ts';

const INT8 = 127;

/** One phrase of a unit in the index: a trigger, or the title, whose text is null. */
export interface PhraseRow {
  readonly text: string | null;
  readonly row: Int8Array;
}

/** A unit's rows in the index, without its long text. Triggers without a vector, or without a direction, have no row. */
export async function phraseRows(
  { index }: RecallGarden,
  { rows, starts, texts, dims, mean }: Vectors,
  { name, intents }: JudgedUnit,
  encoder: Encoder,
): Promise<PhraseRow[]> {
  const unit = index.named.get(name) ?? -1;
  const [from = 0, to = 0] = [starts[unit], starts[unit + 1]];
  const count = to - from - (texts[unit] ?? 0);
  const all = Array.from({ length: Math.max(0, count) }, (_, i) => {
    return rows.data.slice((from + i) * rows.stride, (from + i) * rows.stride + dims);
  });
  const encoded = count > intents.length ? null : await encoder.encode(intents, 'passage');
  const present = intents.filter((_, i) => encoded === null || quantise(encoded[i] ?? null, mean) !== null);
  return all.map((row, i) => ({ text: present[i] ?? null, row }));
}

/**
 * For each trigger of a unit, the triggers to leave out with it: itself, and its near copies. Leaving out one of them
 * would leave the other to find the unit, and adding a paraphrase as a trigger would raise the figure without helping
 * anybody.
 *
 * @param rows those of the unit in the index; none where the index has no vectors: then words are compared
 */
export function groupNearCopies(unit: JudgedUnit, rows: readonly PhraseRow[]): Map<string, string[]> {
  const rowOf = new Map(rows.flatMap(({ text, row }) => (text === null ? [] : [[text, row] as const])));
  const stemsOf = new Map(unit.intents.map((it) => [it, stemsIn(it)]));
  const isNear = (a: string, b: string) => {
    if (a === b) return true;
    const x = rowOf.get(a);
    const y = rowOf.get(b);
    if (x && y) return dot(x, y) >= NEAR * INT8 * INT8;
    return isNearCopy(stemsOf.get(a) ?? new Set(), stemsOf.get(b) ?? new Set());
  };
  return new Map(unit.intents.map((intent) => [intent, unit.intents.filter((it) => isNear(intent, it))]));
}

function dot(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
