/**
 * A text as a model reads it, for matching phrases: lower case, one space between words, without emphasis, invisible
 * characters, accents or escapes; a line feed separates blocks.
 */
export interface Flat {
  readonly text: string;
  /** Start of each character of `text` in the original. */
  readonly offsets: ArrayLike<number>;
  /** 1 if the character is in quotes or in code. */
  readonly quoted: ArrayLike<number>;
  /** Starts of the lines of `text` that are items of a list. */
  readonly items: ReadonlySet<number>;
}

const ESCAPE = /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));|\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|U([0-9a-f]{8}))/iy;
const UNSEEN = /[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0]/u;
const OPENS = /[“„«‹「『]/;
const CLOSES = /[”»›」』]/;

/** Kinds of ASCII characters in `flatten`; every other character is looked at one by one. */
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

/** Origin of code units, and whether they are in quotes or in code. */
export class Places {
  offsets: Uint32Array;
  quoted: Uint8Array;

  constructor(room: number) {
    this.offsets = new Uint32Array(room);
    this.quoted = new Uint8Array(room);
  }

  set(at: number, offset: number, isQuoted: boolean): void {
    if (at === this.offsets.length) this.grow();
    this.offsets[at] = offset;
    this.quoted[at] = isQuoted ? 1 : 0;
  }

  /** Some characters become several letters. */
  private grow(): void {
    const room = 2 * this.offsets.length + 16;
    const { offsets, quoted } = this;
    (this.offsets = new Uint32Array(room)).set(offsets);
    (this.quoted = new Uint8Array(room)).set(quoted);
  }
}

/** Room for the code units of one text after the other. */
let room = new Uint16Array(4096);

/** Writes code units into arrays of numbers: a compile flattens every version of every text. */
export class Flattening {
  private length = 0;
  /** All code units written, combined by `|`. */
  private seen = 0;
  private readonly items = new Set<number>();
  private quote = '';
  fenced = false;

  private readonly places: Places | null;

  constructor(places: Places | null) {
    this.places = places;
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

  text(): string {
    const codes = room.subarray(0, this.length);
    // a string of single bytes is searched faster
    if (this.seen < 0x100) return Buffer.from(codes).toString('latin1');
    return Buffer.from(codes.buffer, 0, 2 * this.length).toString('utf16le');
  }

  done(): Flat {
    const { offsets = [], quoted = [] } = this.places ?? {};
    return {
      text: this.text(),
      offsets: offsets.slice(0, this.length),
      quoted: quoted.slice(0, this.length),
      items: this.items,
    };
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
    return this.length === 0 ? undefined : room[this.length - 1];
  }

  private push(code: number, offset: number): void {
    const at = this.length++;
    if (at === room.length) room = grown(room);
    room[at] = code;
    this.seen |= code;
    this.places?.set(at, offset, this.quote !== '' || this.fenced);
  }
}

function grown(full: Uint16Array): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(2 * full.length);
  larger.set(full);
  return larger;
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
