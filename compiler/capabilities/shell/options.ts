import type { Field } from './field.ts';

/** Syntax of the options of a program. */
export interface Options {
  /** Letters of options that take a value. */
  readonly values?: string;
  /** Long options that take a value as the next word; as in GNU programs, their beginning is enough. */
  readonly long?: readonly string[];
  /** Long options without a value that are asked for, or that a longer name begins with. */
  readonly flags?: readonly string[];
  /** Whether options may stand behind operands too. A word that begins with `+` is then no option. */
  readonly isMixed?: boolean;
}

/** One option, with its value if it has one. */
export interface Option {
  readonly name: string;
  readonly value: Field | null;
}

/** A program's options, and its operands: what follows them, or stands between them. */
export interface Split {
  readonly options: readonly Option[];
  readonly rest: readonly Field[];
}

/** Splits arguments where the options end: at the first word that is none unless they are mixed, or behind `--`. */
export function splitOptions(args: readonly Field[], how: Options): Split {
  const { values = '', long = [], flags = [], isMixed = false } = how;
  const options: Option[] = [];
  const operands: Field[] = [];
  const isOption = isMixed ? /^-./ : /^[-+]./;
  let at = 0;
  while (at < args.length) {
    const word = args[at] ?? '';
    if (word === '--') return { options, rest: [...operands, ...args.slice(at + 1)] };
    if (!isOption.test(word)) {
      if (!isMixed) break;
      operands.push(word);
      at++;
      continue;
    }
    at++;
    if (word.startsWith('--')) {
      const [written = '', ...value] = word.slice(2).split('=');
      const name = nameOf(written, long, flags);
      if (value.length > 0) options.push({ name, value: value.join('=') });
      else options.push({ name, value: long.includes(name) ? (args[at++] ?? null) : null });
      continue;
    }
    for (let letter = 1; letter < word.length; letter++) {
      const name = word[letter] ?? '';
      if (!values.includes(name)) {
        options.push({ name, value: null });
        continue;
      }
      const attached = word.slice(letter + 1);
      options.push({ name, value: attached === '' ? (args[at++] ?? null) : attached });
      break;
    }
  }
  return { options, rest: [...operands, ...args.slice(at)] };
}

/**
 * The place of a program's verb among its words; -1 without it. Options may stand before it, and only the program knows
 * which of them takes the next word.
 */
export function verbAt(words: readonly Field[], verb: RegExp): number {
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (verb.test(word)) return at;
    const isValue = at > 1 && /^-[^=]*$/.test(words[at - 1] ?? '');
    if (!/^-./.test(word) && !isValue) return -1;
  }
  return -1;
}

/** The name of a long option, which may be cut short. */
function nameOf(written: string, long: readonly string[], flags: readonly string[]): string {
  if (long.includes(written) || flags.includes(written)) return written;
  const begins = (it: string) => it.startsWith(written);
  return long.find(begins) ?? flags.find(begins) ?? written;
}
