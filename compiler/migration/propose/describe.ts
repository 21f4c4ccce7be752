import { terms } from '../../recall/signals/lexical.ts';
import { slugOf } from '../documents/names.ts';
import type { Section } from '../documents/sections.ts';
import { isCode, isVague, placeOf, plainWords } from './phrases.ts';

/** The longest description of a unit. */
const LONGEST = 120;
const SHORTEST = 12;

/** A sentence that means something only together with another one. */
const DEPENDS =
  /^(?:and|but|example|for example|it|its|note|or|otherwise|see|so|such|that|the following|then|these|they|this|those)\b|\b(?:above|as follows|below|following)\b|[:;,–—-]$/i;

/** Whether a section has no title but its file's name. */
export const isNameless = ({ isPreamble, document }: Section) => isPreamble && document.title === null;

/** The words that name a section: its title, with the heading above it if the title alone says too little or repeats. */
export function topicOf(section: Section, isRepeated = false): string {
  const { title, isPreamble } = section;
  if (isPreamble || (!isVague(title) && !isRepeated)) return title;
  const place = placeOf(section);
  return place === '' || terms(place, false).every((it) => terms(title, false).includes(it))
    ? title
    : `${title} (${place})`;
}

/** A unit's description: whole sentences of the section itself, after its topic if they do not name it. */
export function describe(section: Section, isRepeated = false): string {
  const topic = plain(topicOf(section, isRepeated));
  const said = [
    ...(section.isPreamble && section.document.front.description ? sentences(section.document.front.description) : []),
    ...section.sentences.slice(0, 50),
  ]
    .filter((it) => !isCode(it))
    .map(plain)
    .filter((it) => it.length >= SHORTEST && !DEPENDS.test(it) && /\p{L}{2}/u.test(it));
  const named = isNameless(section) ? [] : said.map((it) => (names(it, topic) ? it : `${topic}: ${it}`));
  const fits = [...named, ...said].find((it) => it.length < LONGEST);
  const place = placeOf(section);
  const fallback =
    place === '' || topic.includes(place) ? `Instructions on ${topic}` : `Instructions on ${topic} (${place})`;
  return ended(
    fits ?? (fallback.length < LONGEST ? fallback : `Instructions on ${slugOf(section.title).replaceAll('-', ' ')}`),
  );
}

const sentences = (text: string) => text.split(/(?<=[.!?])\s+/);

/** Whether a sentence has the words of a topic. */
function names(sentence: string, topic: string): boolean {
  const said = new Set(terms(sentence, false));
  return terms(topic, false).every((it) => said.has(it));
}

/** On one line, without Markdown and without words that may be secrets. */
function plain(text: string): string {
  const kept = new Set(plainWords(text.replace(/[()]/g, ' ')));
  const parts = text
    .slice(0, 500)
    .replace(/[*`#|<>[\]\\~]+/g, ' ')
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
