import { factsLeft, type RecallGarden } from '../../recall/recall-garden.ts';
import { stem } from '../../recall/signals/stem.ts';
import type { Lexicon } from '../../schema/source/lexicon.ts';
import { englishParser } from '../english-parser.ts';
import { JARGON } from './jargon.ts';

/** The words that are not redacted: common English words, and the words of the agent's own units. */
export interface KnownWords {
  /** Whether a word is in the vocabulary, in any case; a word that is only a name never is. */
  readonly isKnown: (word: string) => boolean;
  /** Whether the units have a word, in the same case. */
  readonly isInUnits: (word: string) => boolean;
  /** Other meanings of an ambiguous word besides a name; null for a word that is only a name, or no name. */
  readonly meaningsOf: (word: string) => 'name or verb' | 'name or other' | null;
}

/** The parts of the parser's model that are used here. */
interface Model {
  readonly one: { readonly lexicon: Readonly<Record<string, string | readonly string[]>> };
  readonly two: { readonly switches: Readonly<Record<string, string>> };
}

const NAMES = new Set(
  'Person FirstName MaleName FemaleName LastName Place City Region Country Organization SportsTeam ProperNoun'.split(
    ' ',
  ),
);

/** Function words, which dictionaries of content words do not list. */
const SMALL =
  'a about am an and are as at be been being but by can could did do does for from had has have i if in into is it its ' +
  'just let me my of on or our s should so t that the their them then there these they this to up us was we were what ' +
  'when where which who will with would you your not no yes please thanks thank hi hello hey ok okay he she him her his ' +
  'hers ours yours theirs myself itself than too very also am pm vs etc eg ie don doesn didn isn aren wasn won wouldn ' +
  'shouldn couldn can hasn haven hadn gotta gonna wanna ll ve re';

/** The vocabulary of an agent. */
export function createVocabulary(garden: RecallGarden, lexicon: Lexicon): KnownWords {
  const english = englishOf(lexicon);
  const written = new Set<string>();
  const own = new Set<string>();
  // withdrawn units do not count: they may have been withdrawn because of their words
  for (const text of factsLeft(garden).map(textOf)) {
    for (const [word] of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
      written.add(word);
      own.add(word.toLowerCase());
    }
  }
  return {
    isKnown: (word) => {
      const bare = word.toLowerCase();
      return own.has(bare) || (!english.names.has(bare) && (english.words.has(bare) || english.words.has(stem(bare))));
    },
    isInUnits: (word) => written.has(word),
    meaningsOf: (word) => english.ambiguous.get(word.toLowerCase()) ?? null,
  };
}

function textOf({ name, content, delivery }: RecallGarden['facts'][number]): string {
  const { intents, keywords } = delivery.load_triggers;
  return [name, delivery.description, ...delivery.aliases, ...intents, ...keywords, content].join('\n');
}

interface English {
  /** Words and their stems. */
  readonly words: ReadonlySet<string>;
  /** Words that are only names. */
  readonly names: ReadonlySet<string>;
  /** Words that are names and something else. */
  readonly ambiguous: ReadonlyMap<string, 'name or verb' | 'name or other'>;
}

/** The words of the parser and of the coverage gate's lexicon. */
function englishOf({ synsets, groups, frames }: Lexicon): English {
  const { one, two } = englishParser().model() as unknown as Model;
  const names = new Set<string>();
  const words = new Set([...SMALL.split(' '), ...JARGON]);
  const ambiguous = new Map<string, 'name or verb' | 'name or other'>([['will', 'name or other']]);
  const add = (phrase: string) => {
    // in this dictionary, a word with a capital is a name
    for (const word of phrase.split(/[^A-Za-z]+/).filter((it) => /^[a-z]+$/.test(it))) words.add(word).add(stem(word));
  };
  for (const [phrase, value] of Object.entries(one.lexicon)) {
    const tags = typeof value === 'string' ? [value] : value;
    if (!tags.some((it) => NAMES.has(it))) add(phrase);
    else if (phrase in two.switches && !phrase.includes(' ')) add(phrase);
    else if (/^\w+$/.test(phrase)) names.add(phrase);
  }
  for (const { say, for: meant } of Object.values(synsets)) [...say, ...meant].forEach(add);
  for (const sets of Object.values(groups)) Object.values(sets).flat().forEach(add);
  for (const frame of frames) add(frame.replace(/\{\w+\}/g, ' '));
  for (const [word, meanings] of Object.entries(two.switches)) {
    if (meanings.startsWith('Person|'))
      ambiguous.set(word, meanings === 'Person|Verb' ? 'name or verb' : 'name or other');
  }
  return { words, names, ambiguous };
}
