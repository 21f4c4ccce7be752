import type { Invocation } from '../shell/command.ts';
import type { Field } from '../shell/field.ts';

/** A program as it is meant: its own name, and what it is given. */
export interface MeantProgram {
  readonly program: string;
  readonly args: readonly Field[];
}

/** The file of a package that is an agent's program, as its scope or its own name tells. */
const PACKAGE = /(?:^|\/)node_modules\/(?:@[^/]+\/)?([^/]+)\/./;

/** A program, however it is started: `python3 -m pip`, `corepack pnpm@9`, `npm.cmd`, `node node_modules/x/cli.js`. */
export function meantProgram({ name, words }: Pick<Invocation, 'name' | 'words'>): MeantProgram {
  const program = plainName(name);
  const args = words.slice(1);
  if (/^(py|python|pypy)[0-9.]*$/.test(program)) {
    const at = args.findIndex((it) => /^-[A-Za-z]*m$/.test(it));
    if (at >= 0) return { program: plainName(args[at + 1] ?? ''), args: args.slice(at + 2) };
  }
  const [first = ''] = args;
  if (/^(node|bun|deno|tsx)$/.test(program)) {
    const file = args.findIndex((it) => PACKAGE.test(it));
    const [, name] = PACKAGE.exec(args[file] ?? '') ?? [];
    if (name !== undefined) return { program: plainName(name), args: args.slice(file + 1) };
  }
  const isHandedOn = program === 'corepack' && /^(npm|pnpm|yarn)(@|$)/.test(first);
  return isHandedOn ? { program: plainName(first), args: args.slice(1) } : { program, args };
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/@.*$|\.(cmd|exe|ps1)$/, '');
}

/** No program has more options with a value before its verb. */
const MAX_VALUES = 4;

/**
 * The first words of a program without its options, joined by spaces. Only the program knows which option takes the
 * next word, so they are given in every way: with all such words, without the first, without the first two, and so on.
 */
export function verbsOf(args: readonly Field[]): readonly string[] {
  const isOption = (it: Field) => /^[-+]./.test(it);
  const words = args.flatMap((it, at) =>
    isOption(it) ? [] : [{ it, isValue: at > 0 && /^-[^=]*$/.test(args[at - 1] ?? '') }],
  );
  const values = words.filter((it) => it.isValue).slice(0, MAX_VALUES);
  const ways = Array.from({ length: values.length + 1 }, (_, n) => new Set(values.slice(0, n)));
  return ways.map((left) =>
    words
      .filter((it) => !left.has(it))
      .slice(0, 8)
      .map(({ it }) => it)
      .join(' '),
  );
}
