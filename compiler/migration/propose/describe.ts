import { terms } from '../../recall/signals/lexical.ts';
import type { Section } from '../documents/sections.ts';
import { contentWords, DEPENDS, isCode, isVague, sectionPlaceOf, plainWords } from './phrases.ts';

/** The longest description of a unit. */
const LONGEST = 120;
const SHORTEST = 12;

/** Whether a section has no title but its file's name. */
export const isNameless = ({ isPreamble, document }: Section) => isPreamble && document.title === null;

/** Words that name a section: its title, with the heading above it if the title alone says too little or repeats. */
export function topicOf(section: Section, isRepeated = false): string {
  const { title, isPreamble } = section;
  if (isPreamble || (!isVague(title) && !isRepeated)) return title;
  const place = sectionPlaceOf(section);
  return place === '' || terms(place, false).every((it) => terms(title, false).includes(it))
    ? title
    : `${title} (${place})`;
}

/** Further descriptions of a section, where lint refuses those before them. */
const MOST = 12;

/**
 * Descriptions that a unit may have, the best first: whole sentences of the section itself, after its topic if they do
 * not name it; then its topic with what is in it.
 */
export function descriptionsOf(section: Section, isRepeated = false): readonly [string, ...string[]] {
  const topic = plain(topicOf(section, isRepeated));
  const said = [
    ...(section.isPreamble && section.document.front.description ? sentences(section.document.front.description) : []),
    ...section.sentences.slice(0, 50),
  ]
    .filter((it) => !isCode(it))
    .map(plain)
    .filter((it) => it.length >= SHORTEST && !DEPENDS.test(it) && /\p{L}{2}/u.test(it));
  // without its heading a sentence may say the contrary
  const named = said.map((it) => (isNameless(section) || names(it, topic) ? it : `${topic}: ${it}`));
  const told = [...section.joined, ...section.labels].map(plain).filter((it) => it !== '');
  // the contents of a section say more than the first of its many sentences
  const first = told.length >= MANY || section.joined.length > 0 ? contentsOf(topic, told) : [];
  const last = contentsOf(topic, contentWords(section.plain));
  const fits = [...first, ...named, ...last].filter((it) => it.length < LONGEST);
  const [best = topic, ...others] = [...new Set(fits.map(ended))].slice(0, MOST);
  return [ended(best), ...others];
}

/** A topic with the first of what it contains, as much as fits; empty where that says nothing more. */
function contentsOf(topic: string, contents: readonly string[]): string[] {
  const more = contents.filter((it) => !names(topic, it)).slice(0, MOST_CONTENTS);
  const told = more.reduce<string[]>((all, it) => {
    return `${topic}: ${[...all, it].join(', ')}.`.length < LONGEST ? [...all, it] : all;
  }, []);
  return told.length === 0 ? [] : [`${topic}: ${told.join(', ')}`];
}

const MANY = 3;
const MOST_CONTENTS = 8;

const sentences = (text: string) => text.split(/(?<=[.!?])\s+/);

/** Whether a sentence has the words of a topic. */
function names(sentence: string, topic: string): boolean {
  const said = new Set(terms(sentence, false));
  return terms(topic, false).every((it) => said.has(it));
}

/** Marks of Markdown in a sentence; one beside a letter or path is part of a name: `C#`, `#deployments`, `~/.ssh`. */
const MARKS = /[*`|<>[\]\\]+|(?<![\p{L}\p{N}])#+(?![\p{L}\p{N}])|~+(?!\/)/gu;

/** On one line, without Markdown and without words that may be secrets. */
function plain(text: string): string {
  const kept = new Set(plainWords(text.replace(/[()]/g, ' ')));
  const parts = text
    .slice(0, 500)
    .replace(/\[\^[^\]\s]+\]/g, '')
    .replace(MARKS, ' ')
    .split(/\s+/);
  const isKept = (it: string) => !/\d/.test(it) || it.length < 12 || [...kept].some((word) => it.includes(word));
  return parts
    .filter((it) => it !== '' && isKept(it))
    .join(' ')
    .replace(/ (?=[,.;:!?)]+(?: |$))/g, '')
    .replace(/^\d+[.)] /, '')
    .replace(/^\(([^()]*)$/, '$1')
    .trim();
}

function ended(sentence: string): string {
  const bare = sentence.slice(0, LONGEST - 1).replace(/[^\p{L}\p{M}\p{N})%!?.”"'’]+$/u, '');
  return /[.!?]["”'’)]?$/.test(bare) ? bare : `${bare}.`;
}
