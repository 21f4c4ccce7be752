import { isHiragana, isPair } from './character-pairs.ts';
import { stem } from './stem.ts';
import { spelledWords, words } from './words.ts';

/** The words of a garden's language that carry no meaning: no terms, unless a text has no other word. */
export interface FunctionWords {
  /** As they are spelled, in lower case: "wäre" is one, and "Ware" is none. */
  readonly listed: ReadonlySet<string>;
  /** As they are matched: words of a query that are function words unless a unit has them. */
  readonly doubtful: ReadonlySet<string>;
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about am an and are as at be been being but by can could did do does for from had has have i if in into is it ' +
    'its just let me my of on or our s should so t that the their them then there these they this to up us was we ' +
    'were what when where which who will with would you your'
  ).split(' '),
);

/** Those of a garden in English. */
export const ENGLISH_WORDS: FunctionWords = { listed: STOP_WORDS, doubtful: new Set() };

/**
 * Those of a garden in another language. Coding agents ask in English too, and people type without accents, so such
 * words of a query mean nothing to a garden that has none of them.
 *
 * @param list as they are spelled, in lower case
 */
export function functionWordsFrom(list: readonly string[]): FunctionWords {
  const listed = new Set(list);
  const withoutAccents = list.flatMap(words).filter((it) => !listed.has(it));
  return { listed, doubtful: new Set([...STOP_WORDS, ...withoutAccents]) };
}

/** The part that a word has in matching. */
type Kind = 'term' | 'doubtful' | 'function';

/** The stems of a line, each with its part. */
interface Line {
  readonly stems: readonly string[];
  readonly kinds: readonly Kind[];
}

function readLine(line: string, functionWords: FunctionWords): Line {
  const { lower, folded } = spelledWords(line);
  return {
    stems: folded.map(stem),
    kinds: folded.map((word, i) => kindOf(lower[i] ?? word, word, functionWords)),
  };
}

/** A pair of characters of which each is a function word is one too: 什 and 么 are listed, 什么 is not. */
function kindOf(lower: string, word: string, { listed, doubtful }: FunctionWords): Kind {
  if (listed.has(lower) || isHiragana(word)) return 'function';
  if (isPair(word) && Array.from(word).every((it) => listed.has(it))) return 'function';
  return doubtful.has(word) ? 'doubtful' : 'term';
}

/**
 * The terms by which a text is matched: Porter stems of all words but function words; for phrases also each pair of
 * neighbouring words, with function words: "how long" is not "how much", and "log in" is not "log". A phrase that has
 * function words alone has them as terms, so that a unit whose trigger is "The Who" is found.
 */
export function terms(text: string, asPhrases: boolean, functionWords: FunctionWords = ENGLISH_WORDS): string[] {
  const found: string[] = [];
  for (const line of text.split('\n')) {
    const { stems, kinds } = readLine(line, functionWords);
    const before = found.length;
    stems.forEach((it, i) => {
      if (kinds[i] !== 'function') found.push(it);
    });
    if (!asPhrases) continue;
    if (found.length === before) for (const it of stems) found.push(it);
    addPhrases(found, stems);
  }
  return found;
}

/** Pairs of characters overlap, so they are phrases already; hiragana between two words separates nothing. */
function addPhrases(found: string[], stems: readonly string[]): void {
  let before: string | null = null;
  for (const it of stems) {
    if (isHiragana(it)) continue;
    if (before !== null && !isPair(before) && !isPair(it)) found.push(`${before} ${it}`);
    before = it;
  }
}

/** The index of a term among those of a garden; undefined if no unit has it. */
export type TermNumbers = Pick<ReadonlyMap<string, number>, 'get'>;

/** The stems of a query by their parts, and its phrases. */
interface Query {
  readonly all: readonly string[];
  readonly certain: readonly string[];
  readonly doubtful: readonly string[];
  readonly phrases: readonly string[];
}

function readQuery(text: string, functionWords: FunctionWords): Query {
  const all: string[] = [];
  const found: Record<Kind, string[]> = { term: [], doubtful: [], function: [] };
  const phrases: string[] = [];
  for (const line of text.split('\n')) {
    const { stems, kinds } = readLine(line, functionWords);
    stems.forEach((it, i) => {
      all.push(it);
      found[kinds[i] ?? 'term'].push(it);
    });
    addPhrases(phrases, stems);
  }
  return { all, certain: found.term, doubtful: found.doubtful, phrases };
}

/** The words and phrases that count: all words if none but function words are left. */
function counted({ all, certain, doubtful, phrases }: Query, numbers: TermNumbers): ReadonlySet<string> {
  const known = doubtful.filter((it) => numbers.get(it) !== undefined);
  const found = new Set(certain.length + known.length === 0 ? all : certain);
  for (const it of known) found.add(it);
  for (const it of phrases) found.add(it);
  return found;
}

/** A query with its terms, which are the same for every index if no word is doubtful. */
interface RememberedQuery {
  readonly text: string;
  readonly functionWords: FunctionWords;
  readonly numbers: TermNumbers | null;
  readonly terms: ReadonlySet<string>;
}

let last: RememberedQuery | null = null;

/**
 * The distinct terms of a query, words before phrases; several indexes are asked the same one after the other, so the
 * last is kept.
 *
 * @param numbers the index that is asked
 */
export function queryTerms(text: string, functionWords: FunctionWords, numbers: TermNumbers): ReadonlySet<string> {
  const isLast = last?.text === text && last.functionWords === functionWords;
  if (last && isLast && (last.numbers === null || last.numbers === numbers)) return last.terms;
  const query = readQuery(text, functionWords);
  const terms = counted(query, numbers);
  last = { text, functionWords, numbers: query.doubtful.length === 0 ? null : numbers, terms };
  return terms;
}

/** Whether a term is a phrase: a pair of words. */
export const isPhrase = (term: string) => term.includes(' ');
