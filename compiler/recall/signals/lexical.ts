import { ENGLISH_WORDS, queryTerms, terms, type FunctionWords, type TermNumbers } from './terms.ts';

export { terms } from './terms.ts';
export { words } from './words.ts';

/** Scores are integers in millionths, so that every platform rounds the same way. */
export const SCALE = 1_000_000;

/** BM25F constants; the field weights are those of DESIGN §6.7. */
const K1 = 1.2;
const B = 0.75;
const WEIGHTS = { triggers: 2, phrases: 1.5, description: 1.5, heading: 1, content: 1, task_types: 0.5 };

/** The sum of impacts, in nats, that has half of the highest score. */
const HALF = 24;

/**
 * The deduction from a unit's sum for each time that phrases double its rows: a share of the intent's idf, of which so
 * many nats count at most. Without a limit a long intent would find no unit by its phrases.
 */
const DEDUCTION = { share: 0.014, most: 120 };

/** All constants of the lexical signal. */
export const CONSTANTS = { k1: K1, b: B, fields: WEIGHTS, half: HALF, deduction: DEDUCTION };

type Field = keyof typeof WEIGHTS;
const FIELDS = Object.keys(WEIGHTS) as Field[];

/** Fields that consist of chosen phrases; in running text, pairs of neighbouring words mean little. */
const PHRASED: ReadonlySet<Field> = new Set(['triggers', 'phrases', 'description', 'heading']);

/** A unit's text by field, for the lexical signal. */
export type Fields = Readonly<Record<Field, string>>;

/**
 * Precomputed postings: those of `terms[t]` are at `starts[t]` to `starts[t + 1]`, as unit, impact, unit, impact… An
 * impact is idf × saturated term frequency in millionths and never exceeds `idf[t]`.
 */
export interface Lexical {
  readonly terms: readonly string[];
  readonly idf: ArrayLike<number>;
  /** The idf of a word that no unit contains. */
  readonly unknown_idf: number;
  readonly starts: ArrayLike<number>;
  readonly postings: Int32Array;
  /** The sum of impacts that has half of the highest score. */
  readonly half: number;
  /** By unit: what its phrases take off its sum, as a share of the intent's idf in millionths. */
  readonly deductions: ArrayLike<number>;
  /** Function words of the garden's language; absent in English. */
  readonly functionWords?: FunctionWords;
}

/**
 * Builds the postings of a garden; unit numbers are indexes of `units`.
 *
 * @param deductions of the units, as `deductionsOf` has them; by default none
 */
export function buildLexical(
  units: readonly Fields[],
  functionWords: FunctionWords = ENGLISH_WORDS,
  deductions: readonly number[] = units.map(() => 0),
): Lexical {
  const counts = countTerms(units, functionWords);
  const average = FIELDS.map((_, f) =>
    Math.max(1, sum(counts.map((it) => it[f]?.length ?? 0)) / Math.max(1, units.length)),
  );
  const frequencies = new Map<string, [unit: number, tf: number][]>();
  counts.forEach((unit, u) => {
    for (const [term, tf] of fold(unit, average)) {
      const list = frequencies.get(term);
      if (list) list.push([u, tf]);
      else frequencies.set(term, [[u, tf]]);
    }
  });
  const terms = [...frequencies.keys()].sort();
  const idf = terms.map((term) => idfOf(units.length, frequencies.get(term)?.length ?? 0));
  const starts = [0];
  const postings: number[] = [];
  terms.forEach((term, t) => {
    const weight = idf[t] ?? 0;
    for (const [u, tf] of frequencies.get(term) ?? []) postings.push(u, Math.round((weight * tf) / (K1 + tf)));
    starts.push(postings.length);
  });
  const unknown_idf = idfOf(units.length, 0);
  const scale = { half: HALF * SCALE, deductions };
  return { terms, idf, unknown_idf, starts, postings: Int32Array.from(postings), ...scale };
}

/** The numbers of a unit's rows: its intents and its title, and its phrases. */
export interface RowCounts {
  readonly own: number;
  readonly phrases: number;
}

/**
 * The part of an intent's idf that the phrases of each unit add to its sum by their number alone: a unit must not be
 * found by how many phrases it has (README). It counts whole where a quarter of the units have phrases or more, and
 * less the fewer have: a few cannot crowd out the others.
 */
export function deductionsOf(units: readonly RowCounts[]): number[] {
  const having = units.filter(({ phrases }) => phrases > 0).length;
  const share = DEDUCTION.share * Math.min(1, (4 * having) / Math.max(1, units.length));
  return units.map(({ own, phrases }) => Math.round(SCALE * share * Math.log2((own + phrases) / own)));
}

/** The frequency of each term in a field, and the number of terms. */
interface Counted {
  readonly terms: ReadonlyMap<string, number>;
  readonly length: number;
}

/** The terms of every unit by field. */
function countTerms(units: readonly Fields[], functionWords: FunctionWords): Counted[][] {
  return units.map((unit) => FIELDS.map((field) => count(terms(unit[field], PHRASED.has(field), functionWords))));
}

/** Field-weighted, length-normalised term frequencies of one unit. */
function fold(unit: readonly Counted[], average: readonly number[]): Map<string, number> {
  const folded = new Map<string, number>();
  unit.forEach((field, f) => {
    const weight = WEIGHTS[FIELDS[f] ?? 'content'];
    const length = 1 - B + (B * field.length) / (average[f] ?? 1);
    for (const [term, n] of field.terms) folded.set(term, (folded.get(term) ?? 0) + (weight * n) / length);
  });
  return folded;
}

function idfOf(units: number, having: number): number {
  return Math.round(SCALE * Math.log(1 + (units - having + 0.5) / (having + 0.5)));
}

function count(list: readonly string[]): Counted {
  const counts = new Map<string, number>();
  for (const term of list) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { terms: counts, length: list.length };
}

/** A unit's triggers as the index counts them: how often each term occurs, and how many terms there are. */
export type CountedTriggers = Counted;

/** Counts the terms of triggers as the index does. */
export function countTriggers(
  triggers: readonly string[],
  { functionWords }: Pick<Lexical, 'functionWords'> = {},
): CountedTriggers {
  return count(terms(triggers.join('\n'), true, functionWords));
}

/**
 * The impact of a term on a unit that has other triggers than the indexed ones. The term's frequency in the unit
 * follows from its impact; the part of the triggers is taken out and put in again.
 *
 * @param impact the indexed one
 * @param average the mean number of terms that the garden's units have in their triggers, at least 1
 */
export function impactWith(
  term: string,
  { idf, impact }: { readonly idf: number; readonly impact: number },
  { indexed, other }: { readonly indexed: CountedTriggers; readonly other: CountedTriggers },
  average: number,
): number {
  const part = ({ terms: own, length }: CountedTriggers) =>
    (WEIGHTS.triggers * (own.get(term) ?? 0)) / (1 - B + (B * length) / average);
  const frequency = (K1 * impact) / Math.max(1, idf - impact);
  const changed = Math.max(0, frequency - part(indexed) + part(other));
  return Math.round((idf * changed) / (K1 + changed));
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/**
 * Sums the impacts of the query's distinct terms: an absolute score from 0 to 1 in millionths, independent of the other
 * candidates and of the query's other words.
 *
 * @param numbers the index of a term in `lexical.terms`
 */
export function scoreLexical(lexical: Lexical, numbers: TermNumbers, intent: string, units: number): Int32Array {
  const { idf, unknown_idf, starts, postings, functionWords = ENGLISH_WORDS } = lexical;
  const sums = new Float64Array(units);
  let mass = 0;
  for (const term of queryTerms(intent, functionWords, numbers)) {
    const t = numbers.get(term);
    mass += t === undefined ? unknown_idf : (idf[t] ?? 0);
    if (t === undefined) continue;
    for (let i = starts[t] ?? 0; i < (starts[t + 1] ?? 0); i += 2) {
      const unit = postings[i] ?? 0;
      sums[unit] = (sums[unit] ?? 0) + (postings[i + 1] ?? 0);
    }
  }
  const scores = new Int32Array(units);
  sums.forEach((sum, unit) => {
    if (sum > 0) scores[unit] = scaleSum(lexical, unit, sum, mass);
  });
  return scores;
}

/**
 * The lexical score of a unit, sum ÷ (sum + half): the sum alone counts, so that a match is worth as much in a long
 * intent as in a short one.
 *
 * @param sum the impacts of the intent's terms on the unit
 * @param mass the idf of all of them
 */
export function scaleSum(
  { half, deductions }: Pick<Lexical, 'half' | 'deductions'>,
  unit: number,
  sum: number,
  mass: number,
): number {
  const counted = Math.min(mass, DEDUCTION.most * SCALE);
  const left = Math.max(0, sum - Math.floor(((deductions[unit] ?? 0) * counted) / SCALE));
  return Math.floor((left * SCALE) / (left + half));
}
