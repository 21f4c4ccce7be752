import { copyIn } from '../../lint/rules/trigger.ts';
import { terms, words } from '../../recall/signals/lexical.ts';
import { wordsOfPatterns } from '../../sources/legacy-front.ts';
import type { Section } from '../documents/sections.ts';
import { isNameless, topicOf } from './describe.ts';
import { contentWords, GENERIC, isVague, sectionPlaceOf, plainWords, repeats, spoken } from './phrases.ts';

/** Triggers that a section may have, the best first: its own words, and where it is. */
export interface TriggerCandidates {
  readonly intents: readonly string[];
  readonly keywords: readonly string[];
}

const MOST = 24;
const MOST_KEYWORDS = 6;

/** A situation that the author of a description names as one. */
const USE_WHEN = /\b(?:use|used|using|apply|applies|activated|invoked?)\b[\w ]{0,20}\bwhen(?:ever)? ([^.;!?]{6,120})/gi;

/**
 * The triggers that fit a section (§21.2.2): what its author wrote as such, and headings. No sentence of its text is
 * one. One that only repeats the text has the place where it is.
 *
 * @param rarity of a stem among the sections: the rarer a word, the better it names this section
 */
export function triggerCandidatesOf(
  section: Section,
  description: string,
  isRepeated: boolean,
  rarity: (stem: string) => number,
): TriggerCandidates {
  const place = sectionPlaceOf(section);
  const topic = plainWords(topicOf(section, isRepeated).replace(/[()]/g, ' ')).join(' ');
  const { triggers, keywords, description: said } = section.document.front;
  const own = section.isPreamble ? [...triggers, ...situationsOf(said ?? '')] : [];
  const named = isNameless(section) ? [] : [spoken(topic)];
  const headings = [...section.joined, ...section.labels].filter((it) => !isVague(it)).map((it) => spoken(it));
  const phrases = [...own, ...named, ...headings];
  const isRepeat = repeats(section, description);
  // a phrase of the text alone proves nothing to the gate; where the section is makes it tell the section from others
  const copied = copyIn(section.text, [description, section.title, ...section.joined]);
  const isCopied = (it: string) => copied(it) !== null;
  const placed = phrases.map((it) => (isRepeat(it) || isCopied(it) ? inPlace(it, place) : it));
  const all = [...new Set(placed)].filter((it) => !isCopied(it));
  const intents = all.filter((it) => it !== '' && it.length <= 200 && terms(it, false).length > 0);
  const given = section.isPreamble ? keywords : [];
  return { intents: intents.slice(0, MOST), keywords: keywordsOf(section, topic, rarity, given) };
}

/** Words that no other section has: of its title, and the most frequent ones; where there is none, the rarest. */
function keywordsOf(
  section: Section,
  topic: string,
  rarity: (stem: string) => number,
  given: readonly string[],
): string[] {
  const isOwn = (word: string) => rarity(terms(word, false)[0] ?? '') === 1;
  const said = [...contentWords(topic).slice(0, 3), ...contentWords(section.plain)];
  const own = said.filter(isOwn);
  if (own.length === 0) own.push(...byRarity(said, rarity).slice(0, 2));
  const ofFiles = wordsOfPatterns(section.document.front.patterns).slice(0, 2);
  return [...new Set([...given, ...own, ...ofFiles])].slice(0, MOST_KEYWORDS);
}

function byRarity(said: readonly string[], rarity: (stem: string) => number): string[] {
  const of = (word: string) => rarity(terms(word, false)[0] ?? '');
  return said.toSorted((a, b) => of(b) - of(a));
}

const situationsOf = (text: string) => [...text.matchAll(USE_WHEN)].slice(0, 12).map(([, it = '']) => spoken(it));

/** Adds where the section is, unless the phrase says so already. */
function inPlace(phrase: string, place: string): string {
  const added = spoken(place, 6);
  const known = new Set(terms(phrase, false));
  const isKnown = terms(added, false).every((it) => known.has(it));
  if (phrase === '' || added === '' || isKnown || words(added).every((it) => GENERIC.has(it))) return phrase;
  return `${phrase}, ${added}`;
}
