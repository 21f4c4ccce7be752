import { meanOf, quantise, type Encoder, type Vectors } from '../signals/semantic.ts';
import { layRows } from '../signals/vector-scan.ts';

/** The members of a unit that are encoded. */
export interface EncodedUnit {
  readonly description: string;
  readonly headings: readonly string[];
  readonly content: string;
  readonly intents: readonly string[];
  readonly keywords: readonly string[];
}

/** Vectors in the order of the file: for each unit its phrases, then its long text. */
export interface WrittenVectors {
  readonly dims: number;
  readonly mean: readonly number[];
  /** How many phrases each unit has, and how many long texts (one or none). */
  readonly phrases: readonly number[];
  readonly texts: readonly number[];
  readonly data: Int8Array;
}

/** How many characters of a unit's content its long text contains. */
const LONG_CONTENT = 600;

/** The texts of a unit that are encoded: each intent, heading with description, and one long text. */
export function textsOf(unit: EncodedUnit): { phrases: string[]; long: string } {
  const title = [...unit.headings.slice(0, 1), unit.description].join('. ');
  const triggers = [...unit.intents, ...unit.keywords];
  const long = [title, ...triggers, unit.content.slice(0, LONG_CONTENT)].join('. ');
  return { phrases: [...unit.intents, title], long };
}

/** Encodes all units in one call; a text without a vector gets no row. */
export async function buildVectors(units: readonly EncodedUnit[], encoder: Encoder): Promise<WrittenVectors> {
  const { dims } = encoder;
  const texts = units.flatMap((unit, u) => {
    const { phrases, long } = textsOf(unit);
    return [
      ...phrases.map((text) => ({ u, kind: 'phrases' as const, text })),
      { u, kind: 'texts' as const, text: long },
    ];
  });
  const encoded = await encoder.encode(
    texts.map(({ text }) => text),
    'passage',
  );
  const known = encoded.filter((vector) => vector !== null);
  const mean = meanOf(known, dims);
  const counts = { phrases: new Array<number>(units.length).fill(0), texts: new Array<number>(units.length).fill(0) };
  const data = new Int8Array(known.length * dims);
  let end = 0;
  texts.forEach(({ u, kind }, i) => {
    const vector = quantise(encoded[i] ?? null, mean);
    if (vector === null) return;
    data.set(vector, end);
    end += dims;
    counts[kind][u] = (counts[kind][u] ?? 0) + 1;
  });
  return { dims, mean, ...counts, data: data.subarray(0, end) };
}

/** Loads written vectors into the layout for recall. */
export function layVectors({ dims, mean, phrases, texts, data }: WrittenVectors): Vectors {
  const starts = new Int32Array(phrases.length + 1);
  phrases.forEach((count, unit) => (starts[unit + 1] = (starts[unit] ?? 0) + count + (texts[unit] ?? 0)));
  return { dims, mean: Float64Array.from(mean), starts, texts: Uint8Array.from(texts), rows: layRows(data, dims) };
}
