import type { ProgrammingLanguage } from './languages.ts';

/**
 * The code of a file alone: comments become spaces and texts become `_`, character by character, so that lines stay
 * where they are. Every character is looked at once.
 */
export function maskCode(source: string, language: ProgrammingLanguage): string {
  return new Mask(source, language).run();
}

class Mask {
  readonly #source: string;
  readonly #language: ProgrammingLanguage;
  readonly #out: string[] = [];
  #at = 0;
  /** Open braces of each template text whose code is being read. */
  readonly #templates: number[] = [];

  constructor(source: string, language: ProgrammingLanguage) {
    this.#source = source;
    this.#language = language;
  }

  run(): string {
    while (this.#at < this.#source.length) this.#step();
    return this.#out.join('');
  }

  #step(): void {
    const { line, block, long, quotes, lifetimes, patterns } = this.#language;
    const opened = block.find(([open]) => this.#isHere(open));
    const char = this.#source[this.#at] ?? '';
    const text = long.find((it) => this.#isHere(it));
    if (opened) this.#comment(opened);
    else if (line.some((it) => this.#isHere(it)) && !this.#isExpansion()) this.#until('\n', ' ', 0);
    else if (text !== undefined) this.#text(text, true);
    else if (lifetimes && char === "'") this.#character();
    else if (lifetimes && this.#rawText()) return;
    else if (patterns && char === '`') this.#template();
    else if (quotes.includes(char)) this.#text(char, false);
    else if (patterns && char === '/' && this.#beginsPattern()) this.#pattern();
    else this.#code(char);
  }

  #isHere(word: string): boolean {
    return this.#source.startsWith(word, this.#at);
  }

  /** `$#` and `${x#y}` of a shell begin no comment. */
  #isExpansion(): boolean {
    return this.#language.quotes === '' && !/[\s;]|^$/.test(this.#source[this.#at - 1] ?? '');
  }

  #take(length: number, by: string): void {
    for (const char of this.#source.slice(this.#at, this.#at + length)) this.#out.push(char === '\n' ? '\n' : by);
    this.#at += length;
  }

  /** Takes all before a word, and `more` characters of the word. */
  #until(word: string, by: string, more: number): void {
    const end = this.#source.indexOf(word, this.#at);
    this.#take(end === -1 ? this.#source.length - this.#at : end - this.#at + more, by);
  }

  #comment([open, close]: readonly [string, string]): void {
    let depth = 1;
    this.#take(open.length, ' ');
    while (depth > 0 && this.#at < this.#source.length) {
      if (this.#isHere(close)) depth--;
      else if (this.#language.nests && this.#isHere(open)) depth++;
      this.#take(this.#isHere(close) ? close.length : 1, ' ');
    }
  }

  #text(quote: string, isLong: boolean): void {
    this.#take(quote.length, '_');
    while (this.#at < this.#source.length && !this.#isHere(quote)) {
      // a text that is not closed on its line was none
      if (!isLong && this.#isHere('\n')) return;
      this.#take(this.#isHere('\\') && quote !== '`' ? 2 : 1, '_');
    }
    this.#take(quote.length, '_');
  }

  /** `'a'`, `'\n'`; a lifetime such as `'static` is code. */
  #character(): void {
    const [whole] =
      /^'(?:\\(?:u\{[0-9a-fA-F]+\}|x..|.)|[^\\'])'/su.exec(this.#source.slice(this.#at, this.#at + 16)) ?? [];
    this.#take(whole?.length ?? 1, '_');
  }

  /** `r#"…"#` of Rust. @returns whether there was one */
  #rawText(): boolean {
    const [open, hashes = ''] = /^b?r(#*)"/.exec(this.#source.slice(this.#at, this.#at + 64)) ?? [];
    if (open === undefined || /\w/.test(this.#source[this.#at - 1] ?? '')) return false;
    this.#take(open.length, '_');
    this.#until(`"${hashes}`, '_', 1 + hashes.length);
    return true;
  }

  #template(): void {
    this.#take(1, '_');
    this.#templateText();
  }

  #templateText(): void {
    while (this.#at < this.#source.length) {
      if (this.#isHere('${')) {
        this.#templates.push(0);
        this.#take(2, '_');
        return;
      }
      if (this.#isHere('`')) {
        this.#take(1, '_');
        return;
      }
      this.#take(this.#isHere('\\') ? 2 : 1, '_');
    }
  }

  #code(char: string): void {
    const open = this.#templates.length - 1;
    if (open >= 0 && char === '{') this.#templates[open] = (this.#templates[open] ?? 0) + 1;
    if (open >= 0 && char === '}') {
      if (this.#templates[open] === 0) {
        this.#templates.pop();
        this.#take(1, '_');
        this.#templateText();
        return;
      }
      this.#templates[open] = (this.#templates[open] ?? 0) - 1;
    }
    this.#out.push(char);
    this.#at++;
  }

  /** Whether `/` begins a pattern: where a value may begin, a division cannot. */
  #beginsPattern(): boolean {
    let before = this.#out.length - 1;
    while (before >= 0 && /\s/.test(this.#out[before] ?? '')) before--;
    if (before < 0) return true;
    const last = this.#out.slice(Math.max(0, before - 10), before + 1).join('');
    return /[(,=:[!&|?{};+*%~^<>-]$|\b(?:return|typeof|case|in|of|void|delete|throw|await)$/.test(last);
  }

  #pattern(): void {
    let isClass = false;
    this.#take(1, '_');
    while (this.#at < this.#source.length && !this.#isHere('\n')) {
      if (this.#isHere('[')) isClass = true;
      else if (this.#isHere(']')) isClass = false;
      else if (this.#isHere('/') && !isClass) {
        this.#take(1, '_');
        return;
      }
      this.#take(this.#isHere('\\') ? 2 : 1, '_');
    }
  }
}
