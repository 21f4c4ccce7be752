import { codePoint, type Finding } from '../../sources/finding.ts';

/** A run of characters that nobody sees, or that turn the order of what is seen. */
export interface Run {
  readonly rule: 'unicode_hidden' | 'unicode_bidi';
  readonly index: number;
  readonly text: string;
}

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Everything without a shape of its own; tab and line feed are the layout of a text. */
const UNSEEN =
  /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|[^\P{Cc}\t\n\r]/gu;

const RTL = /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Scripts whose spelling joins and parts letters by ZWJ and ZWNJ. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Tibetan}\p{Script=Myanmar}\p{M}]/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji}\p{So}\p{Sm}]/u;
/** A flag of a part of a country: a black flag, its code in tags, the end of tags. */
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;

/** Every unseen character of a text that its writing does not need, in runs. */
export function unseenRuns(text: string): Run[] {
  const flags = new Set([...text.matchAll(FLAG)].flatMap((it) => Array.from(it[0], (_, i) => it.index + 2 * i)));
  const runs: { rule: Run['rule']; index: number; text: string }[] = [];
  for (const match of text.matchAll(UNSEEN)) {
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

/** What emoji, Arabic, Indic and Han writing is spelled with; one at a time, beside what it shapes. */
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

/** A picture, or one with its colour of skin or its variation selector. */
function isPicture(text: string, index: number, before: string): boolean {
  const shaped = /[\ufe0f\u{1f3fb}-\u{1f3ff}]/u.test(before) ? before1(text, index - before.length) : before;
  return /\p{Extended_Pictographic}/u.test(shaped);
}

function before1(text: string, index: number): string {
  const low = text.slice(Math.max(0, index - 1), index);
  return /[\udc00-\udfff]/.test(low) ? text.slice(Math.max(0, index - 2), index) : low;
}

/** The line of a place, as far as anybody writes lines. */
function lineAround(text: string, index: number): string {
  const from = Math.max(text.lastIndexOf('\n', index - 1) + 1, index - 500);
  const end = text.indexOf('\n', index);
  return text.slice(from, Math.min(end === -1 ? text.length : end, index + 500));
}

/** Hidden characters and turns of direction (Trojan source), told by code point and never printed. */
export function findUnseen(text: string): Finding[] {
  return unseenRuns(text).map(({ rule, index, text: run }) => {
    const characters = Array.from(run);
    const names = [...new Set(characters.slice(0, 64).map(codePoint))].slice(0, 3).join(', ');
    const said = smuggled(characters);
    const count = characters.length === 1 ? 'a character' : `${characters.length} characters`;
    const message =
      rule === 'unicode_bidi'
        ? `${count} here (${names}) can show a text in another order than it is read`
        : `${count} here (${names}) cannot be seen${said === '' ? '' : `, and spell “${said}”`}`;
    return { rule, index, message, help: 'delete it, or run vade lint --fix' };
  });
}

/** Tag characters are invisible ASCII: what they say, so that the author knows what came in. */
function smuggled(characters: readonly string[]): string {
  const points = characters.map((it) => it.codePointAt(0) ?? 0).filter((it) => it > 0xe0020 && it < 0xe007f);
  return String.fromCharCode(...points.slice(0, 60).map((it) => it - 0xe0000));
}

/** The text without what `unseenRuns` finds. */
export function withoutUnseen(text: string): string {
  let kept = '';
  let from = 0;
  for (const run of unseenRuns(text)) {
    kept += text.slice(from, run.index);
    from = run.index + run.text.length;
  }
  return kept + text.slice(from);
}
