import { confusablesMap } from 'confusables';
import { quote, type Finding } from '../../sources/finding.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const ASCII_LETTER = /[a-z]/i;
/** A letter of an alphabet with letters that resemble Latin ones; Han, kana and Hangul have none. */
const ALPHABETIC =
  /[^\P{L}\p{Script=Latin}\p{Script=Common}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
/** Letters that look the same as a Latin one. */
const TWINS = /[аеорсухѕіјӏԁһԛԝѵАВЕКМНОРСТУХЅІЈӀαικνορτυχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոԱᎪᏴᏟᎠᎬᏂᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃⲞⲟⲤⲥ]/u;
/** Latin look-alikes from the phonetic alphabets, and styled letters: 𝐛𝐨𝐥𝐝, ⓒⓘⓡⓒⓛⓔⓓ. */
const PHONETIC = /[ɑɡɩɪɴʀʏʟʙɢʜᴀ-ᴢꜱꜰ]/u;
const DRESSED = /[\u{1d400}-\u{1d7ff}\u24b6-\u24e9\u{1f130}-\u{1f189}]/u;
const FULL_WIDTH = /[\uff21-\uff3a\uff41-\uff5a]/;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Words that imitate others: letters of two alphabets in one word, or a foreign word among Latin words that consists
 * only of look-alikes. Ordinary text in another alphabet is allowed.
 */
export function findHomoglyphs(text: string): Finding[] {
  if (!/[^\u0000-\u007f]/.test(text)) return [];
  const latin = new Set((text.match(/[a-z]{2,}/gi) ?? []).map((it) => it.toLowerCase()));
  let offset = 0;
  const found: Finding[] = [];
  for (const line of withoutFormulas(text).split('\n')) {
    const home = surroundings(line);
    for (const match of line.matchAll(WORD)) {
      if (isAscii(match[0]) || !pretends(match[0], line.charAt(match.index - 1), home, latin)) continue;
      const reading = skeleton(match[0]);
      found.push({
        rule: 'homoglyph',
        index: offset + match.index,
        message: `${quote(match[0])} looks like “${reading}” but has other letters: ${strangers(match[0])}`,
        help: 'type the word in one alphabet',
      });
    }
    offset += line.length + 1;
  }
  return found;
}

const FORMULA = /\$[^$\n]{1,400}\$|\b(?:sin|cos|tan|log|ln|exp|max|min|arg|det)\p{Script=Greek}{1,3}(?![\p{L}\p{N}])/gu;

/** A text of the same length, without the Greek letters between the signs of a formula or behind a function's name. */
const withoutFormulas = (text: string): string =>
  text.replace(FORMULA, (it) => it.replace(/\p{Script=Greek}/gu, (letter) => ' '.repeat(letter.length)));

function isAscii(text: string): boolean {
  return /^[\t -~]*$/.test(text);
}

/** The alphabet of a line, computed once for each line. */
interface Surroundings {
  readonly cjk: boolean;
  /** Words of another alphabet that do not look Latin; two are enough to recognise the alphabet. */
  readonly foreign: readonly string[];
}

function surroundings(line: string): Surroundings {
  if (isAscii(line)) return { cjk: false, foreign: [] };
  const foreign = new Set<string>();
  for (const [word] of line.matchAll(WORD)) {
    if (foreign.size === 2) break;
    if (!ASCII_LETTER.test(word) && Array.from(word).some((it) => ALPHABETIC.test(it) && !TWINS.test(it)))
      foreign.add(word);
  }
  return { cjk: CJK.test(line), foreign: [...foreign] };
}

/** Whether a line has another word of a foreign alphabet, so that the line is written in it. */
function isHome({ foreign }: Surroundings, word: string): boolean {
  return foreign.some((it) => it !== word);
}

function pretends(word: string, before: string, home: Surroundings, latin: ReadonlySet<string>): boolean {
  const letters = Array.from(word).filter((it) => /\p{L}/u.test(it) || DRESSED.test(it));
  const plain = letters.filter((it) => ASCII_LETTER.test(it)).length;
  const dressed = letters.filter((it) => DRESSED.test(it)).length;
  if (dressed >= 2 || (dressed === 1 && plain >= 2)) return true;
  if (letters.filter((it) => FULL_WIDTH.test(it)).length >= 2) return !home.cjk;
  const foreign = letters.filter((it) => ALPHABETIC.test(it));
  if (foreign.length === 0) return plain >= 2 && PHONETIC.test(word) && !/[/[ˈˌ]/.test(before);
  if (!foreign.every(looksLatin)) return false;
  return plain > 0 ? isMixed(word, letters, foreign, home) : isForged(word, letters, home, latin);
}

/** `pаypal`; not `Δt`, `μs` or a Latin name with the ending of another language. */
function isMixed(word: string, letters: readonly string[], foreign: readonly string[], home: Surroundings): boolean {
  if (!foreign.some((it) => TWINS.test(it))) return false;
  const plain = letters.length - foreign.length;
  if (plain < 2 && foreign.every((it) => /\p{Script=Greek}/u.test(it))) return false;
  const switches = letters.filter((it, i) => i > 0 && ALPHABETIC.test(it) !== ALPHABETIC.test(letters[i - 1] ?? it));
  return switches.length > 1 || !isHome(home, word);
}

/** A word without a Latin letter that only looks like one, such as `сору`, among Latin words. */
function isForged(word: string, letters: readonly string[], home: Surroundings, latin: ReadonlySet<string>): boolean {
  if (letters.length < 2 || !letters.every((it) => TWINS.test(it)) || isHome(home, word)) return false;
  return letters.length >= 4 || latin.has(skeleton(word).toLowerCase());
}

function looksLatin(letter: string): boolean {
  return ASCII_LETTER.test(confusablesMap.get(letter) ?? '') || TWINS.test(letter);
}

/** The Latin word that it looks like. */
function skeleton(word: string): string {
  const read = Array.from(word).map((it) => {
    const plain = it.normalize('NFKD').replace(/\p{M}/gu, '');
    if (ASCII_LETTER.test(plain) || /\d/.test(plain)) return plain;
    const twin = confusablesMap.get(it) ?? it;
    return /\p{Lu}/u.test(it) ? twin : twin.toLowerCase();
  });
  return read.join('').slice(0, 60);
}

function strangers(word: string): string {
  const letters = [...new Set(Array.from(word).filter((it) => !/[\u0000-\u007f]/.test(it)))].slice(0, 3);
  return letters.map((it) => `U+${(it.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`).join(', ');
}
