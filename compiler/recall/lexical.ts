import { stemmer } from 'stemmer';

/** One million: every score is a whole number of millionths, so that no platform rounds differently. */
export const SCALE = 1_000_000;

/** BM25F constants; the field weights are those of DESIGN §6.7. */
const K1 = 1.2;
const B = 0.75;
const WEIGHTS = { triggers: 2, description: 1.5, heading: 1, content: 1, task_types: 0.5 };

export type Field = keyof typeof WEIGHTS;
const FIELDS = Object.keys(WEIGHTS) as Field[];

/** A unit's text by field, as the lexical signal sees it. */
export type Fields = Readonly<Record<Field, string>>;

/**
 * Postings with their work done: `postings[t]` holds unit, impact, unit, impact… of `terms[t]`, where an
 * impact is idf × saturated term frequency in millionths, and never exceeds `idf[t]`.
 */
export interface Lexical {
  readonly terms: readonly string[];
  readonly idf: readonly number[];
  /** What a word that no unit has would weigh. */
  readonly unknown_idf: number;
  readonly postings: readonly (readonly number[])[];
}

const STOP_WORDS = new Set(
  (
    'a about am an and are as at be been being but by can could did do does for from had has have i if in into is it ' +
    'its just let me my of on or our s should so t that the their them then there these they this to up us was we ' +
    'were what when where which who will with would you your'
  ).split(' '),
);

/** Words of a text: lower case, no diacritics, letters and digits of any script. */
export function words(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Porter stems of the words that carry meaning. */
export function terms(text: string): string[] {
  return words(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => stemmer(word));
}

/** Builds the postings of a garden; unit numbers are positions in `units`. */
export function buildLexical(units: readonly Fields[]): Lexical {
  const counts = units.map((unit) => FIELDS.map((field) => count(terms(unit[field]))));
  const average = FIELDS.map((_, f) =>
    Math.max(1, sum(counts.map((unit) => total(unit[f]))) / Math.max(1, units.length)),
  );
  const frequencies = new Map<string, [unit: number, tf: number][]>();
  counts.forEach((unit, u) => {
    for (const [term, tf] of fold(unit, average)) {
      const list = frequencies.get(term) ?? [];
      list.push([u, tf]);
      frequencies.set(term, list);
    }
  });
  const sorted = [...frequencies.keys()].sort();
  const idf = sorted.map((term) => idfOf(units.length, frequencies.get(term)?.length ?? 0));
  const postings = sorted.map((term, t) =>
    (frequencies.get(term) ?? []).flatMap(([u, tf]) => [u, Math.round(((idf[t] ?? 0) * tf) / (K1 + tf))]),
  );
  return { terms: sorted, idf, unknown_idf: idfOf(units.length, 0), postings };
}

/** Field-weighted, length-normalised term frequencies of one unit. */
function fold(unit: readonly Map<string, number>[], average: readonly number[]): Map<string, number> {
  const folded = new Map<string, number>();
  unit.forEach((field, f) => {
    const weight = WEIGHTS[FIELDS[f] ?? 'content'];
    const length = 1 - B + (B * total(field)) / (average[f] ?? 1);
    for (const [term, n] of field) folded.set(term, (folded.get(term) ?? 0) + (weight * n) / length);
  });
  return folded;
}

function idfOf(units: number, having: number): number {
  return Math.round(SCALE * Math.log(1 + (units - having + 0.5) / (having + 0.5)));
}

function count(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of list) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const total = (counts: Map<string, number> | undefined) => sum([...(counts?.values() ?? [])]);

/**
 * Adds up impacts over the query's distinct terms and divides by what the query could attain: an
 * absolute 0..1 in millionths, whatever the other candidates.
 *
 * @param lookup position of a term in `lexical.terms`
 */
export function scoreLexical(
  lexical: Lexical,
  lookup: ReadonlyMap<string, number>,
  intent: string,
  units: number,
): Int32Array {
  const scores = new Float64Array(units);
  let attainable = 0;
  for (const term of new Set(terms(intent))) {
    const t = lookup.get(term);
    attainable += t === undefined ? lexical.unknown_idf : (lexical.idf[t] ?? 0);
    const postings = t === undefined ? [] : (lexical.postings[t] ?? []);
    for (let i = 0; i < postings.length; i += 2) {
      const unit = postings[i] ?? 0;
      scores[unit] = (scores[unit] ?? 0) + (postings[i + 1] ?? 0);
    }
  }
  const result = new Int32Array(units);
  if (attainable === 0) return result;
  for (let u = 0; u < units; u++) result[u] = Math.floor(((scores[u] ?? 0) * SCALE) / attainable);
  return result;
}
