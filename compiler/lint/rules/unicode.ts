import { codePoint, type Finding } from '../../sources/finding.ts';
import { allMatches } from './all-matches.ts';

/** A run of characters that are invisible, or that change the visible order of the text. */
export interface Run {
  readonly rule: 'unicode_hidden' | 'unicode_bidi';
  readonly index: number;
  readonly text: string;
}

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** All invisible characters except tab and line feed. */
const UNSEEN =
  /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|[^\P{Cc}\t\n\r]/gu;

const RTL = /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Scripts whose spelling joins and separates letters by ZWJ and ZWNJ. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Tibetan}\p{Script=Myanmar}\p{M}]/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji}\p{So}\p{Sm}]/u;
/** A flag of a region: a black flag, its code in tags, the end of tags. */
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;

/** Runs of invisible characters that the script of the text does not need. */
export function unseenRuns(text: string): Run[] {
  const flags = new Set(allMatches(text, FLAG).flatMap((it) => Array.from(it[0], (_, i) => it.index + 2 * i)));
  const runs: { rule: Run['rule']; index: number; text: string }[] = [];
  for (const match of allMatches(text, UNSEEN)) {
    const [character] = match;
    const { index } = match;
    if (flags.has(index) || isNeeded(text, index, character)) continue;
    const rule = BIDI.test(character) ? 'unicode_bidi' : 'unicode_hidden';
    const last = runs.at(-1);
    if (last && last.rule === rule && last.index + last.text.length === index) last.text += character;
    else runs.push({ rule, index, text: character });
  }
  return runs;
}

/** Invisible characters that emoji, Arabic, Indic and Han writing need: one at a time, next to the affected letter. */
function isNeeded(text: string, index: number, character: string): boolean {
  const before = before1(text, index);
  const after = String.fromCodePoint(text.codePointAt(index + character.length) ?? 0x20);
  if (/[\ufe00-\ufe0f]/.test(character)) return PICTURE.test(before) || /\p{Script=Han}/u.test(before);
  if (/[\u{e0100}-\u{e01ef}]/u.test(character)) return /\p{Script=Han}/u.test(before);
  if (/[\u180b-\u180f]/.test(character)) return /\p{Script=Mongolian}/u.test(before);
  if (character === '\u200d' && /\p{Extended_Pictographic}/u.test(after)) return isPicture(text, index, before);
  if (/[\u200c\u200d]/.test(character)) return JOINED.test(before) && (JOINED.test(after) || character === '\u200d');
  if (/[\u0600-\u0605\u06dd\u070f\u08e2]/.test(character)) return true;
  if (/[\u200e\u200f\u061c]/.test(character)) return RTL.test(lineAround(text, index));
  return false;
}

/** An emoji, also with skin tone or variation selector. */
function isPicture(text: string, index: number, before: string): boolean {
  const shaped = /[\ufe0f\u{1f3fb}-\u{1f3ff}]/u.test(before) ? before1(text, index - before.length) : before;
  return /\p{Extended_Pictographic}/u.test(shaped);
}

function before1(text: string, index: number): string {
  const low = text.slice(Math.max(0, index - 1), index);
  return /[\udc00-\udfff]/.test(low) ? text.slice(Math.max(0, index - 2), index) : low;
}

/** The line around an index, limited in length. */
function lineAround(text: string, index: number): string {
  const from = Math.max(text.lastIndexOf('\n', index - 1) + 1, index - 500);
  const end = text.indexOf('\n', index);
  return text.slice(from, Math.min(end === -1 ? text.length : end, index + 500));
}

/** Hidden characters and changes of direction (Trojan source), reported by code point and never printed. */
export function findUnseen(text: string): Finding[] {
  return unseenRuns(text).map(({ rule, index, text: run }) => {
    const characters = Array.from(run);
    const names = [...new Set(characters.slice(0, 64).map(codePoint))].slice(0, 3).join(', ');
    const spelled = smuggled(characters);
    const count = characters.length === 1 ? 'a character' : `${characters.length} characters`;
    const message =
      rule === 'unicode_bidi'
        ? `${count} here (${names}) can show the text in another order than an agent reads it`
        : `${count} here (${names}) ${characters.length === 1 ? 'is' : 'are'} invisible${spelled === '' ? '' : `, and spell “${spelled}”`}`;
    return { rule, index, message, help: 'delete it, or run vade lint --fix' };
  });
}

/** The text of tag characters, which are invisible ASCII, so that the author can see it. */
function smuggled(characters: readonly string[]): string {
  const points = characters.map((it) => it.codePointAt(0) ?? 0).filter((it) => it > 0xe0020 && it < 0xe007f);
  return String.fromCharCode(...points.slice(0, 60).map((it) => it - 0xe0000));
}

/** The text without the runs of `unseenRuns`. */
export function withoutUnseen(text: string): string {
  let visible = '';
  let from = 0;
  for (const run of unseenRuns(text)) {
    visible += text.slice(from, run.index);
    from = run.index + run.text.length;
  }
  return visible + text.slice(from);
}
