import { repetitionIn } from '../../quality/unit-coverage/misplaced.ts';
import { terms, words } from '../../recall/signals/lexical.ts';
import { stemOf } from '../documents/names.ts';
import type { Section } from '../documents/sections.ts';

/** Words of a title that say nothing about its topic. */
export const GENERIC = new Set(
  `access background best checklist common considerations details example examples format general guide guidelines
  instructions introduction key misc naming notes other overview points policies policy practices principles procedure
  process protocol requirements rules setup standards steps summary tips usage workflow`.split(/\s+/),
);

/** Words of a document's title that say what kind of text it is, not what it is about. */
const KIND =
  /\b(?:agents?|best practices?|checklist|claude|coding|conventions?|cursor|development|docs?|documentation|gemini|guide(?:lines?)?|handbook|instructions?|manual|md|persona|playbook|readme|rules?|runbook|skill|standards?|style ?guide|system)\b/gi;

/** A word as long and mixed as a key or a password: it is never copied. */
const LIKE_SECRET = (word: string) =>
  word.length > 40 ||
  (word.length >= 12 && /\d/.test(word) && /[a-z]/i.test(word) && !/^[\w-]+\.[a-z]{1,5}$/.test(word) && entropic(word));

function entropic(word: string): boolean {
  const changes = word.match(/\d+|\D+/g)?.length ?? 0;
  return changes > 3 || /[^\w-]/.test(word) || (/[a-z]/.test(word) && /[A-Z]/.test(word));
}

/** Whether a title alone does not say what its section is about. */
export const isVague = (title: string) =>
  words(title).every((word) => GENERIC.has(word) || word === 'and' || word.length < 2);

/**
 * The subject of a document, from its title or file name, without words such as “guidelines”; empty if nothing is left.
 */
function subjectOf({ document }: Section): string {
  const title = document.title ?? stemOf(document.path).replace(/[-_.]+/g, ' ');
  const own = title.replace(/\([^()]*\)/g, ' ').split(/\s[—–-]\s|:\s/)[0] ?? '';
  return plainWords(own.replace(KIND, ' ')).slice(0, 6).join(' ');
}

/** The place of a section: the heading above it, otherwise the subject of its document. */
export function sectionPlaceOf(section: Section): string {
  const above = section.above.findLast((it) => it !== section.title && !isVague(it));
  return above === undefined ? subjectOf(section) : plainWords(above).slice(0, 8).join(' ');
}

/** A name whose sign makes it another one: `C#`, `C++`. */
const SIGNED = /^[^\p{L}\p{N}]*([a-z]{1,2}(?:\+\+|#))(?![\p{L}\p{N}+#])/iu;

/** The words of a text as a person would say them: no Markdown, no brackets, nothing that may be a secret. */
export function plainWords(text: string): string[] {
  const parts = text
    .slice(0, 600)
    .replace(/\([^()]*\)/g, ' ')
    .split(/[\s"“”*`<>|()[\]{}\\]+|~+(?!\/)/);
  return parts
    .map((word) => SIGNED.exec(word)?.[1] ?? word.replace(/^[^\p{L}\p{N}@$./~#-]+|[^\p{L}\p{M}\p{N}%]+$/gu, ''))
    .filter((word) => /[\p{L}\p{N}&]/u.test(word) && !LIKE_SECRET(word));
}

/** A word of a program and not of a person: a path, a variable, a call. */
const CODE = /[_$/{}=<>]|^[A-Z]{3,}$|\w\(|^--|\.\w+$|^[a-z]+[A-Z]/;

/** Whether most of a sentence is code, so that nobody would say it. */
export function isCode(sentence: string): boolean {
  const said = sentence.trim().split(/\s+/);
  return (
    /^(?:GET|POST|PUT|PATCH|DELETE|[$/{@])/.test(sentence) ||
    3 * said.filter((it) => CODE.test(it)).length > said.length
  );
}

/** A phrase in its author's words, without capitals; empty for a longer one: half says another thing. */
export function spoken(text: string, most = LONGEST_PHRASE): string {
  const said = plainWords(text);
  const phrase = said.join(' ');
  if (said.length > most || phrase.length > 100) return '';
  // words in title case or long capitals become lower case; abbreviations and names like GitHub keep their capitals
  const calm = phrase.replace(/(?<![\p{L}_$])\p{Lu}(?:\p{Ll}+|\p{Lu}{4,})(?![\p{L}_])/gu, (word) => word.toLowerCase());
  return calm.replace(/[^\p{L}\p{M}\p{N}]+$/u, '');
}

/** Words of a phrase that somebody may say. */
const LONGEST_PHRASE = 12;

/** A sentence that means something only together with another one. */
export const DEPENDS =
  /^(?:and|but|example|for example|it|its|note|or|otherwise|see|so|such|that|the following|then|these|they|this|those)\b|\b(?:above|as follows|below|following)\b|[:;,–—-]$/i;

/** Words of a text that carry meaning: the frequent ones first, of these the long ones, which are rarer in any text. */
export function contentWords(text: string): string[] {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []) {
    const isKept = terms(word, false)[0] && word.length > 2 && word.length < 24 && !/['’]/.test(word);
    if (isKept && !GENERIC.has(word) && !LIKE_SECRET(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([a, of], [b, than]) => than - of || b.length - a.length).map(([word]) => word);
}

/** Whether a phrase only repeats a section's text, so that it proves nothing as a trigger (§21.8.3). */
export function repeats({ text }: Section, description: string): (phrase: string) => boolean {
  return repetitionIn(text, description);
}
