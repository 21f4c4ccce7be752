import type { RecallGarden } from '../../recall/recall-garden.ts';
import { terms, words } from '../../recall/signals/lexical.ts';
import { Name } from '../../schema/uri.ts';
import { repetitionIn } from '../coverage/misplaced.ts';
import { FRAMES } from '../paraphrase/frames.ts';
import { stemsOf, triggerFilter } from '../paraphrase/stems.ts';

/** Words that a unit's front matter might get. */
export interface Wording {
  readonly intents: readonly string[];
  readonly keywords: readonly string[];
  readonly aliases: readonly string[];
}

/** A word of an intent that carries meaning, where it stands, and how few units know it. */
interface Said {
  readonly word: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
  readonly weight: number;
}

/** Says nothing of what is asked for. */
const OF_FRAMES = new Set(FRAMES.flatMap(({ text }) => words(text)));

/** More than that of an intent would be the intent itself: a probe must not be won by being copied. */
const MOST_OF_IT = 0.6;

/** Of how many of an intent's words a wording is made at most: two, or most of them, but never of all. */
function mostOf(said: readonly Said[]): number {
  return Math.min(said.length - 1, Math.max(2, Math.floor(MOST_OF_IT * said.length)));
}

/** Of the words that fewest units know, so many are combined. */
const COMBINED = 6;
const MOST_KEYWORDS = 3;

const NONE: Wording = { intents: [], keywords: [], aliases: [] };

/**
 * What a unit might be given to be found by an intent, from the intent's own words: the fewest words first, of those
 * the ones that fewest units know; single keywords, phrases as trigger intents, several keywords, and other names last.
 */
export function wordingsOf(garden: RecallGarden, unit: string, intent: string): Wording[] {
  const fact = garden.facts.find(({ name }) => name === unit);
  if (!fact) return [];
  const { intents, keywords } = fact.delivery.load_triggers;
  const known = new Set([...intents, ...keywords].flatMap((it) => terms(it, false)));
  const said = saidIn(garden, intent);
  const fresh = said.filter(({ stem, word }) => !known.has(stem) && !OF_FRAMES.has(word));
  const phrases = phrasesOf(intent, said).filter(allowed(garden, fact.content, fact.delivery.description));
  const sized = [1, 2, 3, 4]
    .filter((size) => size <= mostOf(said))
    .flatMap((size) => [
      ...phrases.filter((it) => it.size === size).map(({ text }) => ({ ...NONE, intents: [text] })),
      ...combinations(fresh, size).map((list) => ({ ...NONE, keywords: list })),
    ]);
  return [...sized, ...aliasesIn(garden, intent)];
}

/** The words of an intent that the index matches by, each once. */
function saidIn({ index }: RecallGarden, intent: string): Said[] {
  const said = new Map<string, Said>();
  for (const match of intent.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const [word] = match;
    const [stem] = terms(word, false);
    if (stem === undefined || word.length < 3 || said.has(stem)) continue;
    const t = index.terms.get(stem);
    const weight = t === undefined ? index.lexical.unknown_idf : (index.lexical.idf[t] ?? 0);
    said.set(stem, { word, stem, start: match.index, end: match.index + word.length, weight });
  }
  return [...said.values()];
}

interface Phrase {
  readonly text: string;
  readonly size: number;
  readonly weight: number;
}

/** Runs of an intent from one meaningful word to another, within one clause. */
function phrasesOf(intent: string, said: readonly Said[]): Phrase[] {
  const most = mostOf(said);
  const phrases = said.flatMap((first, at) =>
    said.slice(at + 1, at + most).map((last, more): Phrase => {
      const weight = said.slice(at, at + more + 2).reduce((all, it) => all + it.weight, 0);
      return { text: intent.toLowerCase().slice(first.start, last.end), size: more + 2, weight };
    }),
  );
  return phrases.filter(({ text }) => !/[.,;:!?"“”()\n]/.test(text)).sort((a, b) => b.weight - a.weight);
}

/** No unit has it as a trigger yet, and it does not only repeat the unit's text. */
function allowed({ facts }: RecallGarden, content: string, description: string): (phrase: Phrase) => boolean {
  const triggers = facts.flatMap(({ delivery: { load_triggers: it } }) => [...it.intents, ...it.keywords]);
  const isTrigger = triggerFilter(triggers);
  const repeats = repetitionIn(content, description);
  return ({ text }) => !isTrigger(text) && !repeats(text);
}

/** Keywords by so many, the rarest first. */
function combinations(fresh: readonly Said[], size: number): string[][] {
  const rarest = [...fresh].sort((a, b) => b.weight - a.weight || a.start - b.start);
  if (size === 1) return rarest.map(({ word }) => [word]);
  if (size > MOST_KEYWORDS) return [];
  const choose = (from: readonly Said[], left: number): Said[][] => {
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
