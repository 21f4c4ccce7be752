import type { Field } from './words/field.ts';

/** How the options of a program are written. */
export interface Options {
  /** Letters of options that take a value. */
  readonly values?: string;
  /** Long options that take a value as the next word. */
  readonly long?: readonly string[];
}

/** A program's options, each with its value if it has one, and what follows them. */
export interface Split {
  readonly options: readonly { readonly name: string; readonly value: Field | null }[];
  readonly rest: readonly Field[];
}

/** Splits arguments where the options end: at the first word that is none, or behind `--`. */
export function splitOptions(args: readonly Field[], { values = '', long = [] }: Options): Split {
  const options: { name: string; value: Field | null }[] = [];
  let at = 0;
  while (at < args.length) {
    const word = args[at] ?? '';
    if (word === '--') return { options, rest: args.slice(at + 1) };
    if (!/^[-+]./.test(word)) break;
    at++;
    if (word.startsWith('--')) {
      const [name = '', ...value] = word.slice(2).split('=');
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
  return { options, rest: args.slice(at) };
}
