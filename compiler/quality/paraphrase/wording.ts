import type { Part } from '../../schema/source/lexicon.ts';
import { inflect, type Word } from './english.ts';
import type { Thesaurus } from './thesaurus.ts';

/** A word or phrase that has synonyms. */
export interface Site {
  readonly start: number;
  readonly length: number;
  readonly part: Part;
  readonly alternatives: readonly string[];
}

const MAX_PHRASE = 3;

/** Every word or phrase for which the thesaurus has synonyms; of overlapping ones, the longest. */
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
    const phraseWords = words.slice(start, start + length);
    const first = phraseWords[0];
    const last = phraseWords.at(-1);
    const part = first?.part === 'verb' ? 'verb' : last?.part;
    if (!first || !part || part === 'other' || (length > 1 && (part === 'adjective' || part === 'adverb'))) continue;
    if (phraseWords.slice(0, -1).some(({ text }) => /[^\w'-]$/.test(text))) continue;
    const phrase = phraseWords.map(({ lemma }) => lemma).join(' ');
    const alternatives = thesaurus(part, phrase).filter((it) => fits(it, part, words, start, length));
    if (alternatives.length > 0) return { start, length, part, alternatives };
  }
  return null;
}

/** Whether a synonym fits the grammar of the words around it. */
function fits(synonym: string, part: Part, words: readonly Word[], start: number, length: number): boolean {
  const isMany = part === 'noun' && /[^s]s$/.test(synonym);
  const article = /^(?:a|an|this|that|each|every|one)$/i.test(words[start - 1]?.text ?? '');
  if (isMany && article && words[start + length - 1]?.form !== 'plural') return false;
  const after = words.slice(start + length).map(({ text }) => text.toLowerCase());
  // a particle belongs to one verb and its object: neither `call off or delay` nor `call off it` nor `slow down it down`
  const [, particle = ''] = part === 'verb' ? synonym.split(' ') : [];
  return (
    particle === '' ||
    !(/^(?:and|or|it|them|me|us|him|her|this|that)$/.test(after[0] ?? '') || after.includes(particle))
  );
}

/** The text of words, with the chosen synonyms at their sites. */
export function render(words: readonly Word[], chosen: ReadonlyMap<Site, string> = new Map()): string {
  const starts = new Map([...chosen].map(([site, text]) => [site.start, { site, text }]));
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

function inPlace(text: string, phraseWords: readonly Word[], part: Part): string {
  const head = part === 'verb' ? phraseWords[0] : phraseWords.at(-1);
  const mark = /[^\w'’-]+$/.exec(phraseWords.at(-1)?.text ?? '')?.[0] ?? '';
  const opening = /^[("“‘[]+/.exec(phraseWords[0]?.text ?? '')?.[0] ?? '';
  return opening + inflect(text, head?.form ?? 'plain') + mark;
}

/** Corrects `a` and `an` by the word that follows now. */
function withArticles(text: string): string {
  return text.replace(/\b(a|an) (?=([a-z]+))/gi, (_, article: string, next: string) => {
    const isOpen = /^(?:[aeio]|u(?!n[ia]|s[ae]|r[ei]|t[ei]))/i.test(next) && !/^(?:one|once|eu)/i.test(next);
    const isSpelled = /^(?:hour|honest|honou?r|heir|SSH|SLA|SDK|NDA|HTTP|API|MR)/.test(next);
    const wanted = isOpen || isSpelled ? 'an' : 'a';
    return article.startsWith('A') ? `A${wanted.slice(1)} ` : `${wanted} `;
  });
}
