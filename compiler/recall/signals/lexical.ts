import { hasSpaceless, isPair, pairsOf, splitRuns } from './character-pairs.ts';
import { stem } from './stem.ts';

/** Scores are integers in millionths, so that every platform rounds the same way. */
export const SCALE = 1_000_000;

/** BM25F constants; the field weights are those of DESIGN §6.7. */
const K1 = 1.2;
const B = 0.75;
const WEIGHTS = { triggers: 2, phrases: 1.5, description: 1.5, heading: 1, content: 1, task_types: 0.5 };

/** All constants of the lexical signal. */
export const CONSTANTS = { k1: K1, b: B, fields: WEIGHTS };

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
  /** Function words of the garden's language, which are no terms. An English garden has none here. */
  readonly functionWords?: ReadonlySet<string>;
}

const STOP_WORDS = new Set(
  (
    'a about am an and are as at be been being but by can could did do does for from had has have i if in into is it ' +
    'its just let me my of on or our s should so t that the their them then there these they this to up us was we ' +
    'were what when where which who will with would you your'
  ).split(' '),
);

const NONE: ReadonlySet<string> = new Set();

/** ASCII text, which needs no Unicode decomposition. */
const ASCII = /^[\t\n\r\x20-\x7e]*$/;

/** A name of one or two letters is another one with its sign: C is neither C# nor C++. */
const ASCII_WORDS = /(?<![a-z0-9])[a-z]{1,2}(?:\+\+|#)(?![a-z0-9+#])|[a-z0-9]+/g;
const SPACED_WORDS = /(?<![\p{L}\p{N}])[a-z]{1,2}(?:\+\+|#)(?![\p{L}\p{N}+#])|[\p{L}\p{N}]+/gu;

/**
 * The words of a text in lower case, without diacritics; letters and digits of any script. A script without spaces has
 * no words that could be told without a dictionary, so its pairs of neighbouring characters stand for them.
 */
export function words(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORDS) ?? [];
  const composed = text.normalize('NFKC');
  if (!hasSpaceless(composed)) return spacedWords(composed);
  return splitRuns(composed).flatMap((part, i) => (i % 2 === 0 ? spacedWords(part) : pairsOf(part)));
}

function spacedWords(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.toLowerCase().match(SPACED_WORDS) ?? [];
}

/**
 * The terms by which a text is matched: Porter stems of all words but stop words; for phrases also each pair of
 * neighbouring words, with stop words: "how long" is not "how much", and "log in" is not "log".
 */
export function terms(text: string, asPhrases: boolean, functionWords: ReadonlySet<string> = NONE): string[] {
  const found: string[] = [];
  for (const line of text.split('\n')) {
    const said = words(line);
    const stems = said.map(stem);
    said.forEach((word, i) => {
      if (!STOP_WORDS.has(word) && !isFunctionWord(word, functionWords)) found.push(stems[i] ?? '');
    });
    if (asPhrases) addPhrases(found, stems);
  }
  return found;
}

/** A pair of characters of which each is a function word is one too: 什 and 么 are listed, 什么 is not. */
function isFunctionWord(word: string, listed: ReadonlySet<string>): boolean {
  if (listed.size === 0) return false;
  return listed.has(word) || (isPair(word) && Array.from(word).every((it) => listed.has(it)));
}

function addPhrases(found: string[], stems: readonly string[]): void {
  for (let i = 1; i < stems.length; i++) {
    const [before = '', after = ''] = [stems[i - 1], stems[i]];
    // pairs of characters overlap, so they are phrases already
    if (!isPair(before) && !isPair(after)) found.push(`${before} ${after}`);
  }
}

let last: { text: string; functionWords: ReadonlySet<string>; terms: ReadonlySet<string> } | null = null;

/** The distinct terms of a question; several indexes are asked the same one after the other, so the last is kept. */
export function queryTerms(text: string, functionWords: ReadonlySet<string> = NONE): ReadonlySet<string> {
  if (last?.text !== text || last.functionWords !== functionWords) {
    last = { text, functionWords, terms: new Set(terms(text, true, functionWords)) };
  }
  return last.terms;
}

/** Builds the postings of a garden; unit numbers are indexes of `units`. */
export function buildLexical(units: readonly Fields[], functionWords: ReadonlySet<string> = NONE): Lexical {
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
  return { terms, idf, unknown_idf: idfOf(units.length, 0), starts, postings: Int32Array.from(postings) };
}

/** The frequency of each term in a field, and the number of terms. */
interface Counted {
  readonly terms: ReadonlyMap<string, number>;
  readonly length: number;
}

/** The terms of every unit by field. */
function countTerms(units: readonly Fields[], functionWords: ReadonlySet<string>): Counted[][] {
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
 * Sums the impacts of the query's distinct terms and divides by the maximum that the query can reach: an absolute
 * score from 0 to 1 in millionths, independent of the other candidates.
 *
 * @param lookup the index of a term in `lexical.terms`
 */
export function scoreLexical(
  { idf, unknown_idf, starts, postings, functionWords }: Lexical,
  lookup: Pick<ReadonlyMap<string, number>, 'get'>,
  intent: string,
  units: number,
): Int32Array {
  const sums = new Float64Array(units);
  let attainable = 0;
  for (const term of queryTerms(intent, functionWords)) {
    const t = lookup.get(term);
    attainable += t === undefined ? unknown_idf : (idf[t] ?? 0);
    if (t === undefined) continue;
    for (let i = starts[t] ?? 0; i < (starts[t + 1] ?? 0); i += 2) {
      const unit = postings[i] ?? 0;
      sums[unit] = (sums[unit] ?? 0) + (postings[i + 1] ?? 0);
    }
  }
  const scores = new Int32Array(units);
  if (attainable === 0) return scores;
  for (let u = 0; u < units; u++) scores[u] = Math.floor(((sums[u] ?? 0) * SCALE) / attainable);
  return scores;
}
