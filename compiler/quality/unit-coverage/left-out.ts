import { layVectors, longText } from '../../recall/index/vectors.ts';
import { mixTotal } from '../../recall/rank/rank.ts';
import type { RecallGarden } from '../../recall/recall-garden.ts';
import { quantise, scoreSemantic, type Encoder, type Vectors } from '../../recall/signals/semantic.ts';
import type { JudgedUnit } from './judged-unit.ts';
import { createTriggerlessLexical } from './left-out-words.ts';
import { groupNearCopies, phraseRows, type PhraseRow } from './near-copies.ts';
import { headingsIn } from './texts.ts';

/** A question to a unit without one of its triggers. */
export interface LeftOutQuestion {
  readonly text: string;
  readonly query: Int8Array | null;
  /** The unit's closeness to strong matches, which its own triggers do not change. */
  readonly graph: number;
}

/** The score of a unit, in millionths, as if it did not have a trigger or a near copy of it. */
export type ScoreLeftOut = (unit: JudgedUnit, intent: string, question: LeftOutQuestion) => number;

/**
 * Leaves triggers out of an index, each in turn: the row of the trigger and those of its near copies are dropped, the
 * unit's long text is encoded without them, and the frequencies of its terms are counted without them. Dropping the
 * rows alone would find every unit by the words of the same trigger elsewhere. The words of phrases stay.
 */
export async function leaveTriggersOut(
  garden: RecallGarden,
  units: readonly JudgedUnit[],
  encoder: Encoder | null,
): Promise<ScoreLeftOut> {
  const { vectors } = garden.index;
  const lexicalOf = createTriggerlessLexical(garden);
  const rows = new Map<JudgedUnit, readonly PhraseRow[]>();
  if (vectors && encoder) for (const it of units) rows.set(it, await phraseRows(garden, vectors, it, encoder));
  const left = new Map(units.map((unit) => [unit, groupNearCopies(unit, rows.get(unit) ?? [])]));
  const vectorsOf = vectors && encoder ? await encodeWithout(garden, vectors, left, rows, encoder) : null;
  return (unit, intent, { text, query, graph }) => {
    const without = left.get(unit)?.get(intent) ?? [];
    const lexical = Int32Array.of(lexicalOf(unit, without, text));
    const own = vectorsOf?.get(unit)?.get(intent);
    const semantic = vectors && (own ? scoreSemantic(own, query) : new Int32Array(1));
    return mixTotal(lexical, semantic, Int32Array.of(graph))[0] ?? 0;
  };
}

/** The vectors of each unit without each of its triggers. */
async function encodeWithout(
  garden: RecallGarden,
  vectors: Vectors,
  left: ReadonlyMap<JudgedUnit, ReadonlyMap<string, readonly string[]>>,
  rowsOf: ReadonlyMap<JudgedUnit, readonly PhraseRow[]>,
  encoder: Encoder,
): Promise<ReadonlyMap<JudgedUnit, ReadonlyMap<string, Vectors>>> {
  const variants = [...left].flatMap(([unit, groups]) =>
    [...groups].map(([intent, without]) => ({ unit, intent, without, long: textWithout(garden, unit, without) })),
  );
  const encoded = await encoder.encode(
    variants.map(({ long }) => long),
    'passage',
  );
  const found = new Map<JudgedUnit, Map<string, Vectors>>();
  for (const [i, { unit, intent, without }] of variants.entries()) {
    const rows = rowsOf.get(unit) ?? [];
    const kept = rows.filter(({ text }) => text === null || !without.includes(text)).map(({ row }) => row);
    const long = quantise(encoded[i] ?? null, vectors.mean);
    const own = found.get(unit) ?? new Map<string, Vectors>();
    const number = garden.index.named.get(unit.name) ?? -1;
    const texts = [...(long ? [long] : []), ...windowRows(vectors, number)];
    found.set(unit, own.set(intent, layOne(vectors, kept, texts, vectors.discounts[number] ?? 0)));
  }
  return found;
}

/** The rows of a unit's windows, which come after its long text. */
function windowRows({ rows, starts, texts, dims }: Vectors, unit: number): Int8Array[] {
  const end = starts[unit + 1] ?? 0;
  const count = Math.max(0, (texts[unit] ?? 0) - 1);
  return Array.from({ length: count }, (_, i) => {
    const at = (end - count + i) * rows.stride;
    return rows.data.slice(at, at + dims);
  });
}

/** One unit's vectors. @param discount its own in the index: a trigger that is left out does not make it greater */
function layOne(
  { dims, mean }: Vectors,
  kept: readonly Int8Array[],
  texts: readonly Int8Array[],
  discount: number,
): Vectors {
  const rows = [...kept, ...texts];
  const data = new Int8Array(rows.length * dims);
  rows.forEach((row, i) => {
    data.set(row, i * dims);
  });
  const counts = { triggers: [kept.length], phrases: [0], texts: [texts.length] };
  const vectors = layVectors({ dims, mean: Array.from(mean), ...counts, data });
  return { ...vectors, discounts: Uint16Array.of(discount) };
}

/** A unit's long text as the index encodes it, without some of its triggers. */
function textWithout({ index, facts }: RecallGarden, unit: JudgedUnit, without: readonly string[]): string {
  const fact = facts[index.named.get(unit.name) ?? -1];
  const content = fact?.content ?? '';
  const { keywords = [] } = fact?.delivery.load_triggers ?? {};
  const intents = unit.intents.filter((it) => !without.includes(it));
  return longText({ description: unit.description, headings: headingsIn(content), content, intents, keywords });
}
