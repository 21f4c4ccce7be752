import type { Lexicon, Part, Swap } from '../../schema/source/lexicon.ts';
import { inflect, type Word } from './english.ts';

/** A word or phrase that can be replaced. */
export interface Site {
  readonly start: number;
  readonly length: number;
  readonly part: Part;
  readonly alternatives: readonly string[];
}

/** The swaps of a lexicon, by the first lemma of their words. */
export type Swaps = ReadonlyMap<string, readonly Swap[]>;

const PARTICLES =
  /^(?:up|down|off|out|back|away|on|in|over|through|around|about|along|for|with|at|into|onto|after|by|it|them|me|us|him|her|this|that|and|or)$/i;

/** Indexes the swaps of a lexicon; phrases come before their first words. */
export function indexSwaps({ swaps }: Pick<Lexicon, 'swaps'>): Swaps {
  const found = new Map<string, Swap[]>();
  for (const swap of [...swaps].sort((a, b) => b.word.length - a.word.length)) {
    const [first = ''] = swap.word.split(' ');
    found.set(first, [...(found.get(first) ?? []), swap]);
  }
  return found;
}

/** Every word or phrase of a text that a swap fits; words in quotation marks or code are left alone. */
export function sitesOf(words: readonly Word[], swaps: Swaps): Site[] {
  const said = new Set(words.flatMap(({ text, lemma }) => [lemma, text.toLowerCase().replace(/[^a-z'-]/g, '')]));
  const sites: Site[] = [];
  for (let start = 0; start < words.length;) {
    const site = isPlain(words, start) ? siteAt(words, start, said, swaps) : null;
    if (site) sites.push(site);
    start += site?.length ?? 1;
  }
  return sites;
}

/** Words with capitals, marks, or inside quotation marks are names or code. */
function isPlain(words: readonly Word[], at: number): boolean {
  const before = words
    .slice(0, at)
    .map(({ text }) => text)
    .join(' ');
  const isQuoted = [/[`]/g, /["“”]/g].some((mark) => (before.match(mark)?.length ?? 0) % 2 === 1);
  return !isQuoted && /^[a-z-]+[,.!?]?$/.test(words[at]?.text ?? '');
}

function siteAt(words: readonly Word[], start: number, said: ReadonlySet<string>, swaps: Swaps): Site | null {
  for (const swap of swaps.get(words[start]?.lemma ?? '') ?? []) {
    const length = swap.word.split(' ').length;
    const own = words.slice(start, start + length);
    if (own.map(({ lemma }) => lemma).join(' ') !== swap.word || !own.every((_, i) => isPlain(words, start + i)))
      continue;
    if (!isMeant(swap, said) || !stands(swap, words, start, length)) continue;
    const alternatives = swap.say
      .map(({ text }) => text)
      .filter((text) => !said.has(text) && fits(text, swap.part, words, start + length));
    if (alternatives.length > 0) return { start, length, part: swap.part, alternatives };
  }
  return null;
}

const isMeant = ({ near, not }: Swap, said: ReadonlySet<string>) =>
  (near.length === 0 || near.some((it) => said.has(it))) && !not.some((it) => said.has(it));

/** Whether the word stands where its part of speech does: no part of a compound, and no verb with a particle. */
function stands({ part, word }: Swap, words: readonly Word[], start: number, length: number): boolean {
  const own = words[start];
  const last = words[start + length - 1];
  const before = words[start - 1];
  const next = words[start + length];
  if (/[,.!?]$/.test(own?.text ?? '') && length > 1) return false;
  if (part === 'verb')
    return (
      own?.part === 'verb' &&
      !/^(?:a|an|the|my|your|our|his|her|their)$/i.test(before?.text ?? '') &&
      (word.includes(' ') || own.form === 'past' || !PARTICLES.test(next?.text ?? '') || word === 'convert')
    );
  if (part === 'noun')
    return last?.part === 'noun' && next?.part !== 'noun' && before?.part !== 'noun' && !/['’]s?$/.test(last.text);
  if (part === 'adjective')
    return (
      own?.part === 'adjective' &&
      (next?.part === 'noun' || next === undefined || /^(?:is|are|be|how)$/i.test(before?.text ?? ''))
    );
  return own?.part === 'adverb' && !/^(?:how|as|too|so|very|more)$/i.test(before?.text ?? '');
}

/** A particle belongs to one verb and its object: neither `call off or delay` nor `call off it`. */
function fits(text: string, part: Part, words: readonly Word[], next: number): boolean {
  if (part !== 'verb' || !text.includes(' ')) return true;
  const after = words[next];
  return after !== undefined && !/^(?:and|or|it|them|me|us|him|her|this|that)$/i.test(after.text);
}

/** The text of words, with the chosen replacements at their sites. */
export function render(words: readonly Word[], chosen: ReadonlyMap<Site, string> = new Map()): string {
  const starts = new Map([...chosen].map(([site, text]) => [site.start, { site, text }]));
  const parts: string[] = [];
  for (let i = 0; i < words.length;) {
    const change = starts.get(i);
    const text = change
      ? inPlace(change.text, words.slice(i, i + change.site.length), change.site.part)
      : (words[i]?.text ?? '');
    if (change && /^an?$/i.test(parts.at(-1) ?? '')) parts.push(articleFor(parts.pop() ?? '', text));
    parts.push(text);
    i += change?.site.length ?? 1;
  }
  return parts.join(' ');
}

function inPlace(text: string, own: readonly Word[], part: Part): string {
  const head = part === 'verb' ? own[0] : own.at(-1);
  const mark = /[,.!?]+$/.exec(own.at(-1)?.text ?? '')?.[0] ?? '';
  return inflect(text, head?.form ?? 'plain') + mark;
}

/** `a` or `an` as the word that follows now wants it. */
function articleFor(article: string, next: string): string {
  const wanted = /^(?:[aeio]|u(?!n[ia]|s[ae]|r[ei]|t[ei]))/i.test(next) && !/^(?:one|once|eu)/i.test(next) ? 'an' : 'a';
  return article.startsWith('A') ? `A${wanted.slice(1)}` : wanted;
}
