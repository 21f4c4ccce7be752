/**
 * A text as a model reads it, for matching phrases: lower case, one space between words, without emphasis, invisible
 * characters, accents or escapes; a line feed separates blocks.
 */
export interface Flat {
  readonly text: string;
  /** Where each character of `text` begins in the original. */
  readonly offsets: readonly number[];
  /** 1 if the character is in quotes or in code. */
  readonly quoted: readonly number[];
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
  const flat = new Flattening();
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

class Flattening {
  private readonly characters: string[] = [];
  private readonly offsets: number[] = [];
  private readonly quoted: number[] = [];
  private readonly items = new Set<number>();
  private quote = '';
  fenced = false;

  /** Ends a paragraph, and every quotation in it. */
  part(offset: number, isItem: boolean): void {
    if (this.characters.at(-1) === ' ') this.drop();
    if (this.characters.length > 0 && this.characters.at(-1) !== '\n') this.push('\n', offset);
    if (isItem) this.items.add(this.characters.length);
    this.quote = '';
  }

  add(line: string, start: number, from: number): void {
    if (this.characters.length > 0) this.space(start);
    for (let at = from; at < line.length;) {
      const { character, length } = read(line, at);
      this.take(character, start + at, line.charAt(at - 1), line.charAt(at + length));
      at += length;
    }
  }

  done(): Flat {
    const { offsets, quoted, items } = this;
    return { text: this.characters.join(''), offsets, quoted, items };
  }

  private take(character: string, offset: number, before: string, after: string): void {
    if (UNSEEN.test(character) || character === '*' || character === '~') return;
    if (/\s|_/.test(character)) this.space(offset);
    else if (this.isQuote(character, before, after)) this.push('"', offset);
    else for (const it of fold(character)) this.push(it, offset);
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
    const last = this.characters.at(-1);
    if (last !== ' ' && last !== '\n' && last !== undefined) this.push(' ', offset);
  }

  private push(character: string, offset: number): void {
    for (let i = 0; i < character.length; i++) {
      this.characters.push(character.charAt(i));
      this.offsets.push(offset);
      this.quoted.push(this.quote !== '' || this.fenced ? 1 : 0);
    }
  }

  private drop(): void {
    this.characters.pop();
    this.offsets.pop();
    this.quoted.pop();
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
