import type { RecallGarden } from '../../recall/recall-garden.ts';
import { innerProduct, quantise, type Encoder, type Vectors } from '../../recall/signals/semantic.ts';
import { isNearCopy, NEAR, stemsIn } from '../near-copy.ts';
import type { JudgedUnit } from './judged-unit.ts';

const INT8 = 127;

/** One row of a unit in the index: a trigger, a phrase, or the title, whose text is null. */
export interface PhraseRow {
  readonly text: string | null;
  readonly row: Int8Array;
}

/** A unit's rows in the index, without its long text. Texts without a vector, or without a direction, have no row. */
export async function phraseRows(
  { index }: RecallGarden,
  { rows, starts, phrases: counts, texts, dims, mean }: Vectors,
  { name, intents, phrases = [] }: JudgedUnit,
  encoder: Encoder,
): Promise<PhraseRow[]> {
  const unit = index.named.get(name) ?? -1;
  const [from = 0, to = 0, told = 0] = [starts[unit], starts[unit + 1], counts[unit]];
  const count = Math.max(0, to - from - (texts[unit] ?? 0));
  const present = async (said: readonly string[], isWhole: boolean) => {
    if (isWhole) return said;
    const encoded = await encoder.encode(said, 'passage');
    return said.filter((_, i) => quantise(encoded[i] ?? null, mean) !== null);
  };
  const triggers = await present(intents, count - told > intents.length);
  const others = await present(phrases, told === phrases.length);
  return Array.from({ length: count }, (_, i) => {
    const text = (i < count - told ? triggers[i] : others[i - (count - told)]) ?? null;
    return { text, row: rows.data.slice((from + i) * rows.stride, (from + i) * rows.stride + dims) };
  });
}

/**
 * The texts to leave out with each trigger of a unit: itself, and its near copies among triggers and phrases. Leaving
 * out one of them would leave the other to find the unit, and adding a paraphrase as a trigger would raise the figure
 * without helping anybody. Other phrases stay: they are other ways to the unit.
 *
 * @param rows those of the unit in the index; none where the index has no vectors: then words are compared
 */
export function groupNearCopies(unit: JudgedUnit, rows: readonly PhraseRow[]): Map<string, string[]> {
  const rowOf = new Map(rows.flatMap(({ text, row }) => (text === null ? [] : [[text, row] as const])));
  const all = [...unit.intents, ...(unit.phrases ?? [])];
  const stemsOf = new Map(all.map((it) => [it, stemsIn(it)]));
  const isNear = (a: string, b: string) => {
    if (a === b) return true;
    const x = rowOf.get(a);
    const y = rowOf.get(b);
    if (x && y) return innerProduct(x, y) >= NEAR * INT8 * INT8;
    return isNearCopy(stemsOf.get(a) ?? new Set(), stemsOf.get(b) ?? new Set());
  };
  return new Map(unit.intents.map((intent) => [intent, all.filter((it) => isNear(intent, it))]));
}
