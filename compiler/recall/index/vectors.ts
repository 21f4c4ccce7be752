import { discountOf, meanOf, quantise, type Encoder, type Vectors } from '../signals/semantic.ts';
import { layRows } from '../signals/vector-scan.ts';

/** The members of a unit that are encoded. */
export interface EncodedUnit {
  readonly description: string;
  readonly headings: readonly string[];
  readonly content: string;
  readonly intents: readonly string[];
  readonly keywords: readonly string[];
  readonly phrases: readonly string[];
}

/** Vectors in the order of the file: for each unit its triggers and its title, its phrases, and its texts. */
export interface WrittenVectors {
  readonly dims: number;
  readonly mean: readonly number[];
  /** Number of vectors that each unit has of triggers and title, of phrases, and of its long text and windows. */
  readonly triggers: readonly number[];
  readonly phrases: readonly number[];
  readonly texts: readonly number[];
  readonly data: Int8Array;
}

/** Number of characters of a unit's content that its long text contains. */
const LONG_CONTENT = 600;

/** Windows of a content: their characters, and their greatest number. */
export const WINDOWS = { characters: 1_200, most: 8 };

/** The long text of a unit, which stays without its phrases: they are judged by it. */
export function longText(unit: Omit<EncodedUnit, 'phrases'>): string {
  const triggers = [...unit.intents, ...unit.keywords];
  return [titleOf(unit), ...triggers, unit.content.slice(0, LONG_CONTENT)].join('. ');
}

function titleOf({ headings, description }: Pick<EncodedUnit, 'headings' | 'description'>): string {
  return [...headings.slice(0, 1), description].join('. ');
}

/** Consecutive parts of a content, for what its long text does not say; none of a content that fits one. */
function windowsOf(content: string): string[] {
  const { characters, most } = WINDOWS;
  if (content.length <= characters) return [];
  const count = Math.min(most, Math.ceil(content.length / characters));
  return Array.from({ length: count }, (_, at) => content.slice(at * characters, (at + 1) * characters));
}

type Kind = 'triggers' | 'phrases' | 'texts';

/** Texts of a unit that are encoded: intents, heading with description, phrases, one long text, and windows. */
function textsOf(unit: EncodedUnit): (readonly [Kind, string])[] {
  return [
    ...[...unit.intents, titleOf(unit)].map((text) => ['triggers', text] as const),
    ...unit.phrases.map((text) => ['phrases', text] as const),
    ...[longText(unit), ...windowsOf(unit.content)].map((text) => ['texts', text] as const),
  ];
}

/** Encodes all units in one call; a text without a vector gets no row. */
export async function buildVectors(units: readonly EncodedUnit[], encoder: Encoder): Promise<WrittenVectors> {
  const { dims } = encoder;
  const texts = units.flatMap((unit, u) => textsOf(unit).map(([kind, text]) => ({ u, kind, text })));
  const encoded = await encoder.encode(
    texts.map(({ text }) => text),
    'passage',
  );
  const known = encoded.filter((vector) => vector !== null);
  const mean = meanOf(known, dims);
  const none = () => new Array<number>(units.length).fill(0);
  const counts = { triggers: none(), phrases: none(), texts: none() };
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
export function layVectors({ dims, mean, triggers, phrases, texts, data }: WrittenVectors): Vectors {
  const starts = new Int32Array(triggers.length + 1);
  triggers.forEach((count, unit) => {
    starts[unit + 1] = (starts[unit] ?? 0) + count + (phrases[unit] ?? 0) + (texts[unit] ?? 0);
  });
  const discounts = Uint16Array.from(triggers, (count, unit) => discountOf(count, phrases[unit] ?? 0));
  const counts = { phrases: Uint8Array.from(phrases), texts: Uint8Array.from(texts), discounts };
  return { dims, mean: Float64Array.from(mean), starts, ...counts, rows: layRows(data, dims) };
}
