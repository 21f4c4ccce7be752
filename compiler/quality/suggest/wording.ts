import type { RecallGarden } from '../../recall/recall-garden.ts';
import { terms, words } from '../../recall/signals/lexical.ts';
import { Name } from '../../schema/uri.ts';
import { isNearCopy, stemsIn } from '../near-copy.ts';
import { FRAMES } from '../paraphrase/frames.ts';
import { stemsOf, triggerFilter } from '../paraphrase/stems.ts';
import { repetitionIn } from '../unit-coverage/misplaced.ts';

/** Words to add to a unit's front matter. */
export interface Wording {
  readonly intents: readonly string[];
  readonly keywords: readonly string[];
  readonly aliases: readonly string[];
  /** Words for the end of its description. */
  readonly description?: readonly string[];
}

/** A word of an intent that carries meaning, with its position; its weight is higher the fewer units have it. */
interface IntentWord {
  readonly word: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
  readonly weight: number;
}

/** Words of sentence frames: they carry no meaning of their own. */
export const FRAME_WORDS = new Set(FRAMES.flatMap(({ text }) => words(text)));

/** The share of an intent's words that a wording may use: a probe must not be won by copying it. */
const MOST_WORDS = 0.6;

/** The maximum number of an intent's words in a wording: two, or most of them, but never all. */
function mostOf(intentWords: readonly IntentWord[]): number {
  return Math.min(intentWords.length - 1, Math.max(2, Math.floor(MOST_WORDS * intentWords.length)));
}

/** Number of the rarest words that are combined. */
const COMBINED = 6;
const MOST_KEYWORDS = 3;

const NONE: Wording = { intents: [], keywords: [], aliases: [] };

/**
 * Wordings that may make an intent find a unit, from the intent's own words: the fewest words first, then the rarest;
 * phrases as trigger intents, keywords; then phrases that nearly copy the intent, and aliases last.
 */
export function wordingsOf(garden: RecallGarden, unit: string, intent: string): Wording[] {
  const fact = garden.facts.find(({ name }) => name === unit);
  if (!fact) return [];
  const { intents, keywords } = fact.delivery.load_triggers;
  const known = new Set([...intents, ...keywords].flatMap((it) => terms(it, false)));
  const intentWords = intentWordsIn(garden, intent);
  const fresh = intentWords.filter(({ stem, word }) => !known.has(stem) && !FRAME_WORDS.has(word));
  const phrases = phrasesOf(intent, intentWords).filter(isAllowedFor(garden, fact.content, fact.delivery.description));
  const sized = [1, 2, 3, 4]
    .filter((size) => size <= mostOf(intentWords))
    .flatMap((size) => [
      ...phrases.filter((it) => it.size === size).map(({ text }) => ({ ...NONE, intents: [text] })),
      ...combinations(fresh, size).map((list) => ({ ...NONE, keywords: list })),
    ]);
  // with a near copy as a trigger the probe no longer counts
  const stems = stemsIn(intent);
  const isCopy = ({ intents: own }: Wording) => own.some((it) => isNearCopy(stemsIn(it), stems));
  return [...sized.filter((it) => !isCopy(it)), ...sized.filter(isCopy), ...aliasesIn(garden, intent)];
}

/** The words of an intent that the index matches by, each once. */
function intentWordsIn({ index }: RecallGarden, intent: string): IntentWord[] {
  const intentWords = new Map<string, IntentWord>();
  for (const match of intent.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const [word] = match;
    const [stem] = terms(word, false);
    if (stem === undefined || word.length < 3 || intentWords.has(stem)) continue;
    const t = index.terms.get(stem);
    const weight = t === undefined ? index.lexical.unknown_idf : (index.lexical.idf[t] ?? 0);
    intentWords.set(stem, { word, stem, start: match.index, end: match.index + word.length, weight });
  }
  return [...intentWords.values()];
}

interface Phrase {
  readonly text: string;
  readonly size: number;
  readonly weight: number;
}

/** The parts of an intent from one meaningful word to another, within one clause. */
function phrasesOf(intent: string, intentWords: readonly IntentWord[]): Phrase[] {
  const most = mostOf(intentWords);
  const phrases = intentWords.flatMap((first, at) =>
    intentWords.slice(at + 1, at + most).map((last, more): Phrase => {
      const weight = intentWords.slice(at, at + more + 2).reduce((all, it) => all + it.weight, 0);
      return { text: intent.toLowerCase().slice(first.start, last.end), size: more + 2, weight };
    }),
  );
  return phrases.filter(({ text }) => !/[.,;:!?"“”()\n]/.test(text)).sort((a, b) => b.weight - a.weight);
}

/** Whether no unit has the phrase as a trigger yet, and it does not only repeat the unit's text. */
function isAllowedFor({ facts }: RecallGarden, content: string, description: string): (phrase: Phrase) => boolean {
  const triggers = facts.flatMap(({ delivery: { load_triggers: it } }) => [...it.intents, ...it.keywords]);
  const isTrigger = triggerFilter(triggers);
  const repeats = repetitionIn(content, description);
  return ({ text }) => !isTrigger(stemsOf(text)) && !repeats(text);
}

/** Combinations of keywords of one size, the rarest first. */
function combinations(fresh: readonly IntentWord[], size: number): string[][] {
  const rarest = [...fresh].sort((a, b) => b.weight - a.weight || a.start - b.start);
  if (size === 1) return rarest.map(({ word }) => [word]);
  if (size > MOST_KEYWORDS) return [];
  const choose = (from: readonly IntentWord[], left: number): IntentWord[][] => {
    if (left === 0) return [[]];
    return from.flatMap((it, at) => choose(from.slice(at + 1), left - 1).map((rest) => [it, ...rest]));
  };
  return choose(rarest.slice(0, COMBINED), size).map((list) => list.map(({ word }) => word));
}

/** Compound words of an intent that are no unit's name yet: as an alias they rank their unit first. */
function aliasesIn({ index }: RecallGarden, intent: string): Wording[] {
  const compounds = intent.toLowerCase().match(/(?<![\p{L}\p{N}-])[a-z0-9]+(?:-[a-z0-9]+)+(?![\p{L}\p{N}-])/gu) ?? [];
  const free = [...new Set(compounds)].filter((it) => Name.safeParse(it).success && !index.named.has(it));
  return free.filter((it) => stemsOf(it) !== '').map((alias) => ({ ...NONE, aliases: [alias] }));
}
