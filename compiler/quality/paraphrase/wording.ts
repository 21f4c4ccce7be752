import type { Part } from '../../schema/source/lexicon.ts';
import { inflect, type Word } from './english.ts';
import type { Thesaurus } from './thesaurus.ts';

/** A stretch of words for which others may be said. */
export interface Site {
  readonly start: number;
  readonly length: number;
  readonly part: Part;
  readonly instead: readonly string[];
}

const MAX_PHRASE = 3;

/** Every stretch of words that the thesaurus knows something for, the longest first where they overlap. */
export function sitesOf(words: readonly Word[], thesaurus: Thesaurus): Site[] {
  const sites: Site[] = [];
  for (let start = 0; start < words.length;) {
    const site = siteAt(words, start, thesaurus);
    if (site) sites.push(site);
    start += site?.length ?? 1;
  }
  return sites;
}

function siteAt(words: readonly Word[], start: number, thesaurus: Thesaurus): Site | null {
  for (let length = Math.min(MAX_PHRASE, words.length - start); length > 0; length--) {
    const timeWindow = words.slice(start, start + length);
    const first = timeWindow[0];
    const last = timeWindow.at(-1);
    const part = first?.part === 'verb' ? 'verb' : last?.part;
    if (!first || !part || part === 'other' || (length > 1 && (part === 'adjective' || part === 'adverb'))) continue;
    if (timeWindow.slice(0, -1).some(({ text }) => /[^\w'-]$/.test(text))) continue;
    const phrase = timeWindow.map(({ lemma }) => lemma).join(' ');
    const instead = thesaurus(part, phrase).filter((it) => fits(it, part, words, start, length));
    if (instead.length > 0) return { start, length, part, instead };
  }
  return null;
}

/** Whether something may be said here at all. */
function fits(said: string, part: Part, words: readonly Word[], start: number, length: number): boolean {
  const isMany = part === 'noun' && /[^s]s$/.test(said);
  const article = /^(?:a|an|this|that|each|every|one)$/i.test(words[start - 1]?.text ?? '');
  if (isMany && article && words[start + length - 1]?.form !== 'plural') return false;
  const after = words.slice(start + length).map(({ text }) => text.toLowerCase());
  // a particle goes with one verb and its thing: neither `call off or delay` nor `call off it` nor `slow down it down`
  const [, particle = ''] = part === 'verb' ? said.split(' ') : [];
  return (
    particle === '' ||
    !(/^(?:and|or|it|them|me|us|him|her|this|that)$/.test(after[0] ?? '') || after.includes(particle))
  );
}

/** The text of words, with some of its sites said otherwise. */
export function render(words: readonly Word[], said: ReadonlyMap<Site, string> = new Map()): string {
  const starts = new Map([...said].map(([site, text]) => [site.start, { site, text }]));
  const parts: string[] = [];
  for (let i = 0; i < words.length;) {
    const change = starts.get(i);
    if (change) {
      parts.push(inPlace(change.text, words.slice(i, i + change.site.length), change.site.part));
      i += change.site.length;
    } else {
      parts.push(words[i]?.text ?? '');
      i += 1;
    }
  }
  return withArticles(parts.join(' '));
}

function inPlace(text: string, timeWindow: readonly Word[], part: Part): string {
  const head = part === 'verb' ? timeWindow[0] : timeWindow.at(-1);
  const mark = /[^\w'’-]+$/.exec(timeWindow.at(-1)?.text ?? '')?.[0] ?? '';
  const opening = /^[("“‘[]+/.exec(timeWindow[0]?.text ?? '')?.[0] ?? '';
  return opening + inflect(text, head?.form ?? 'plain') + mark;
}

/** `a` or `an`, by what follows now. */
function withArticles(text: string): string {
  return text.replace(/\b(a|an) (?=([a-z]+))/gi, (_, article: string, next: string) => {
    const isOpen = /^(?:[aeio]|u(?!n[ia]|s[ae]|r[ei]|t[ei]))/i.test(next) && !/^(?:one|once|eu)/i.test(next);
    const isSpelled = /^(?:hour|honest|honou?r|heir|SSH|SLA|SDK|NDA|HTTP|API|MR)/.test(next);
    const wanted = isOpen || isSpelled ? 'an' : 'a';
    return article.startsWith('A') ? `A${wanted.slice(1)} ` : `${wanted} `;
  });
}
