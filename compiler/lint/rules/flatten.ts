/**
 * A text as a model reads it, for matching phrases: lower case, one space between words, without emphasis, invisible
 * characters, accents or escapes; a line feed separates blocks.
 */
export interface Flat {
  readonly text: string;
  /** Where each character of `text` begins in the original. */
  readonly offsets: ArrayLike<number>;
  /** 1 if the character is in quotes or in code. */
  readonly quoted: ArrayLike<number>;
  /** Where the lines of `text` begin that are items of a list. */
  readonly items: ReadonlySet<number>;
}

const MARKER = /^[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?:#{1,6}[ \t]+)?/;
/** Lines that begin a block: an item, a heading, a row, a fence, a comment, a YAML key. */
const BEGINS = /^[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\||```|~~~|<|[\w-]{1,40}:(?:[ \t]|$))/;
const FENCE = /^[ \t]*(?:>[ \t]*)*(?:```|~~~)/;
const ITEM = /^[ \t]*(?:>[ \t]*)*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const ESCAPE = /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));|\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|U([0-9a-f]{8}))/iy;
const UNSEEN = /[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0]/u;
const OPENS = /[“„«‹「『]/;
const CLOSES = /[”»›」』]/;

/** Flattens a text; `offsets` map back to the original. */
export function flatten(text: string): Flat {
  const flat = new Flattening(text.length + 1);
  let start = 0;
  let ended = true;
  let fenced = false;
  for (const line of text.split('\n')) {
    const fence = FENCE.test(line);
    if (fence) fenced = !fenced;
    const alone = fenced || fence || BEGINS.test(line) || line.trim() === '';
    if (alone || ended) flat.part(start, ITEM.test(line));
    flat.fenced = fenced && !fence;
    flat.add(line, start, MARKER.exec(line)?.[0].length ?? 0);
    // a heading ends with its line; the text of an item may continue
    ended = fence || fenced || line.trim() === '' || /^[ \t]*#{1,6}[ \t]/.test(line);
    start += line.length + 1;
  }
  return flat.done();
}

/** What an ASCII character is in `flatten`; every other character is looked at one by one. */
const OTHER = 0;
const LETTER = 1;
const SPACE = 2;
const DROPPED = 3;

const KIND = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s|_/.test(character)) return SPACE;
  if (character === '*' || character === '~') return DROPPED;
  return /[&\\`"']/.test(character) ? OTHER : LETTER;
});
const LOWER = Uint8Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code).toLowerCase().charCodeAt(0));

const SPACE_CODE = 0x20;
const LINE_FEED = 0x0a;
const QUOTE_CODE = 0x22;

/** Writes code units into arrays of numbers: a compile flattens every version of every text. */
class Flattening {
  private codes: Uint16Array;
  private offsets: Uint32Array;
  private quoted: Uint8Array;
  private length = 0;
  /** All code units written, combined by `|`. */
  private seen = 0;
  private readonly items = new Set<number>();
  private quote = '';
  fenced = false;

  constructor(room: number) {
    this.codes = new Uint16Array(room);
    this.offsets = new Uint32Array(room);
    this.quoted = new Uint8Array(room);
  }

  /** Ends a paragraph, and every quotation in it. */
  part(offset: number, isItem: boolean): void {
    if (this.last() === SPACE_CODE) this.length -= 1;
    if (this.length > 0 && this.last() !== LINE_FEED) this.push(LINE_FEED, offset);
    if (isItem) this.items.add(this.length);
    this.quote = '';
  }

  add(line: string, start: number, from: number): void {
    if (this.length > 0) this.space(start);
    for (let at = from; at < line.length;) {
      const code = line.charCodeAt(at);
      const kind = code < 0x80 ? KIND[code] : OTHER;
      if (kind === LETTER) this.push(LOWER[code] ?? code, start + at);
      else if (kind === SPACE) this.space(start + at);
      else if (kind === OTHER) at += this.addOther(line, start, at) - 1;
      at += 1;
    }
  }

  done(): Flat {
    const codes = this.codes.subarray(0, this.length);
    const isLatin = this.seen < 0x100;
    // a string of single bytes is searched faster
    const bytes = isLatin ? Buffer.from(codes) : Buffer.from(codes.buffer, 0, 2 * this.length);
    const text = bytes.toString(isLatin ? 'latin1' : 'utf16le');
    const { offsets, quoted, items, length } = this;
    return { text, offsets: offsets.subarray(0, length), quoted: quoted.subarray(0, length), items };
  }

  /** @returns how many code units of the line it took */
  private addOther(line: string, start: number, at: number): number {
    const { character, length } = read(line, at);
    this.take(character, start + at, line.charAt(at - 1), line.charAt(at + length));
    return length;
  }

  private take(character: string, offset: number, before: string, after: string): void {
    if (UNSEEN.test(character) || character === '*' || character === '~') return;
    if (/\s|_/.test(character)) this.space(offset);
    else if (this.isQuote(character, before, after)) this.push(QUOTE_CODE, offset);
    else {
      const folded = fold(character);
      for (let i = 0; i < folded.length; i++) this.push(folded.charCodeAt(i), offset);
    }
  }

  private isQuote(character: string, before: string, after: string): boolean {
    if (OPENS.test(character)) this.quote = '”';
    else if (CLOSES.test(character)) this.quote = '';
    else if (character === '`' || character === '"')
      this.quote = this.quote === character ? '' : this.quote || character;
    else if (character === "'" || character === '‘' || character === '’') {
      if (this.quote === "'" && !/[\p{L}\p{N}]/u.test(after)) this.quote = '';
      else if (this.quote === '' && !/[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)) this.quote = "'";
      else return false;
    } else return false;
    return true;
  }

  private space(offset: number): void {
    const last = this.last();
    if (last !== SPACE_CODE && last !== LINE_FEED && last !== undefined) this.push(SPACE_CODE, offset);
  }

  /** The last code unit; undefined at the beginning. */
  private last(): number | undefined {
    return this.codes[this.length - 1];
  }

  private push(code: number, offset: number): void {
    const at = this.length++;
    if (at === this.codes.length) this.grow();
    this.codes[at] = code;
    this.offsets[at] = offset;
    this.quoted[at] = this.quote !== '' || this.fenced ? 1 : 0;
    this.seen |= code;
  }

  /** Some characters become several letters. */
  private grow(): void {
    const { codes, offsets, quoted } = this;
    const room = 2 * codes.length + 16;
    (this.codes = new Uint16Array(room)).set(codes);
    (this.offsets = new Uint32Array(room)).set(offsets);
    (this.quoted = new Uint8Array(room)).set(quoted);
  }
}

/** The character at an index, with escapes of HTML and YAML decoded. */
function read(line: string, at: number): { character: string; length: number } {
  const first = line.charAt(at);
  if (first === '&' || first === '\\') {
    ESCAPE.lastIndex = at;
    const match = ESCAPE.exec(line);
    if (match) {
      const [whole, hex, decimal, u, x, U] = match;
      const point = decimal === undefined ? parseInt(hex ?? u ?? x ?? U ?? '', 16) : Number(decimal);
      if (point > 0x1f && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)) {
        return { character: String.fromCodePoint(point), length: whole.length };
      }
    }
  }
  const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
  return { character, length: character.length };
}

/** Lower case; styled and accented letters become the plain ones, if those are ASCII. */
function fold(character: string): string {
  if (character < '\u0080') return character.toLowerCase();
  if (character === '’' || character === '‘') return "'";
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return /^[ -~]+$/.test(plain) ? plain.toLowerCase() : character.toLowerCase();
}
