import { copyIn } from '../../lint/rules/trigger.ts';
import { terms, words } from '../../recall/signals/lexical.ts';
import { wordsOfPatterns } from '../../sources/legacy-front.ts';
import type { Section } from '../documents/sections.ts';
import { isNameless, topicOf } from './describe.ts';
import {
  contentWords,
  DEPENDS,
  firstPerson,
  GENERIC,
  isCode,
  isVague,
  sectionPlaceOf,
  plainWords,
  repeats,
} from './phrases.ts';

/** Triggers that a section may have, the best first: its own words, and where it is. */
export interface TriggerCandidates {
  readonly intents: readonly string[];
  readonly keywords: readonly string[];
}

const MOST = 24;
/** A hostile text has more sentences than anybody reads. */
const MOST_SENTENCES = 400;
const MOST_KEYWORDS = 6;

/** A situation that a sentence names. */
const CLAUSE =
  /\b(?:whenever|when|if|before|after|in case|once|(?:activated|invoked?|used?)\b[\w ]{0,20} when)\s+((?:your?|someone|somebody|anyone|anything|an?|the|it|they|customers?|users?)\b [^.,;:!?()—–]{6,99})(?=[.,;:!?()—–]|$)/gi;

const NEGATED = /^(?:never|do not|don['’]t|avoid)\s+/i;
/** A condition in front of what is to be done. */
const CONDITION = /^(?:if|when|whenever|once|before|after)\s+/i;
const ALWAYS =
  /^(?:always|please|you (?:must|should|can|may|need to|have to)|make sure(?: to| that)?|be sure to|ensure)\s+/i;

/** A sentence as what an agent says that needs it; of a sentence with a condition, the condition. */
function asTask(sentence: string): string {
  const bare = sentence.replace(/^[^\p{L}\p{N}]*(?:\d+[.)]\s*)?/u, '').replace(ALWAYS, '');
  if (CONDITION.test(bare)) return clause(bare.replace(CONDITION, ''));
  if (!NEGATED.test(bare)) return clause(bare);
  const task = clause(bare.replace(NEGATED, ''));
  return task === '' ? '' : `may I ${task}`;
}

/** The first clause of a sentence; a label, or the first items of a list, belong to what comes after them. */
function clause(text: string): string {
  const [first = '', ...rest] = text.split(/\s*(?:[;:,]|[—–→]|->|--)(?:\s+|$)/);
  const whole = rest.reduce((all, it) => (words(all).length < SHORT ? `${all} ${it}` : all), first);
  return firstPerson(whole);
}

/** A clause with fewer words says too little alone. */
const SHORT = 4;

/**
 * The triggers that fit a section (§21.2.2), from its own words and the headings above it: first its phrases as they
 * are, then those that only repeat its text once more, with the place where it is.
 *
 * @param rarity of a stem among the sections: the rarer a sentence's words, the better it names this section
 */
export function triggerCandidatesOf(
  section: Section,
  description: string,
  isRepeated: boolean,
  rarity: (stem: string) => number,
): TriggerCandidates {
  const place = sectionPlaceOf(section);
  const topic = plainWords(topicOf(section, isRepeated).replace(/[()]/g, ' ')).join(' ');
  const { front } = section.document;
  const own = section.isPreamble ? clausesOf(front.description ?? '') : [];
  const named = isNameless(section) ? [] : [trimmed(firstPerson(topic.replace(/^how to /i, '')))];
  const clauses = clausesOf(section.sentences.join('. '));
  const joined = [...section.joined, ...section.labels].filter((it) => !isVague(it)).map((it) => firstPerson(it));
  const phrases = [...own, ...named, ...interleave(clauses, joined, tasksOf(section, rarity))];
  const isRepeat = repeats(section, description);
  // a phrase of the text alone proves nothing to the gate; where the section is makes it tell the section from others
  const copied = copyIn(section.text, [description, section.title, ...section.joined]);
  const isCopied = (it: string) => copied(it) !== null;
  const placed = phrases.filter((it) => isRepeat(it) || isCopied(it)).map((it) => inPlace(it, place));
  const all = [...new Set([...phrases.slice(0, MOST), ...placed])].filter((it) => !isCopied(it));
  const intents = all.filter((it) => it !== '' && it.length <= 200 && terms(it, false).length > 0);
  return { intents: intents.slice(0, 2 * MOST), keywords: keywordsOf(section, topic, rarity) };
}

/** Tasks that a section gives, as an agent asks about them: those with the rarest words first. */
function tasksOf({ sentences }: Section, rarity: (stem: string) => number): string[] {
  return sentences
    .slice(0, MOST_SENTENCES)
    .filter((it) => !isCode(it) && !DEPENDS.test(it))
    .map((it) => asTask(it))
    .filter((it) => words(it).length > 1 && !isCode(it))
    .map((it, at) => ({ it, at, weight: weightOf(it, rarity) }))
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
    .map(({ it }) => it);
}

/** Words that no other section has: of its title, and the most frequent ones; where there is none, the rarest. */
function keywordsOf(section: Section, topic: string, rarity: (stem: string) => number): string[] {
  const isOwn = (word: string) => rarity(terms(word, false)[0] ?? '') === 1;
  const said = [...contentWords(topic).slice(0, 3), ...contentWords(section.plain)];
  const own = said.filter(isOwn);
  if (own.length === 0) own.push(...byRarity(said, rarity).slice(0, 2));
  return [...new Set([...own, ...wordsOfPatterns(section.document.front.patterns).slice(0, 2)])].slice(
    0,
    MOST_KEYWORDS,
  );
}

function byRarity(said: readonly string[], rarity: (stem: string) => number): string[] {
  const of = (word: string) => rarity(terms(word, false)[0] ?? '');
  return said.toSorted((a, b) => of(b) - of(a));
}

/** The situations of a text, in the first person. */
function clausesOf(text: string): string[] {
  return [...text.slice(0, 20_000).matchAll(CLAUSE)].slice(0, 12).map(([, clause = '']) => firstPerson(clause, 12));
}

const trimmed = (topic: string) => topic.replace(/ (?:and|or|of|for|in|the)$/i, '');

/** The mean rarity of a phrase's words. */
function weightOf(phrase: string, rarity: (stem: string) => number): number {
  const stems = [...new Set(terms(phrase, false))];
  return stems.length === 0 ? 0 : stems.reduce((all, it) => all + rarity(it), 0) / Math.max(3, stems.length);
}

/** Adds where the section is, unless the phrase says so already. */
function inPlace(phrase: string, place: string): string {
  const spoken = firstPerson(place, 6);
  const known = new Set(terms(phrase, false));
  const isKnown = terms(spoken, false).every((it) => known.has(it));
  if (phrase === '' || spoken === '' || isKnown || words(spoken).every((it) => GENERIC.has(it))) return phrase;
  return `${phrase}, ${spoken}`;
}

function interleave(...lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map((it) => it.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((it) => it.slice(i, i + 1))).flat();
}
