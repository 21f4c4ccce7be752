import { HOLE, isKnown, type Field } from './field.ts';

/** Builtins by which a name gets another meaning. */
const REDEFINING = new Set(['enable', 'hash', 'bind', 'complete']);
const DECLARING = new Set(['declare', 'export', 'local', 'readonly', 'typeset']);
/** Builtins that give names a value of their input. */
const FILLING = new Set(['read', 'mapfile', 'readarray', 'getopts', 'printf']);
/** Builtins that evaluate the index of a name. */
const INDEXING = new Set(['[', 'let', 'printf', 'read', 'test', 'unset', 'wait', ...DECLARING]);
/** Variables by which a shell runs a text or a file by itself, or reads its words in another way. */
const STARTING =
  /^(ENV|BASH_ENV|BASH_ALIASES|BASH_CMDS|BASH_FUNC_.*|PS[0-4]|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT)$/;

/** One assignment: `NAME=value`. */
export interface Setting {
  readonly name: string;
  readonly value: Field;
}

/** A word `NAME=value` as an assignment. */
export function toSetting(word: Field): Setting {
  const at = word.indexOf('=');
  return { name: word.slice(0, at).replace(/\+$/, ''), value: word.slice(at + 1) };
}

/** All of some folders, each once. */
export function union(...folders: readonly (readonly Field[])[]): readonly Field[] {
  return [...new Set(folders.flat())];
}

/** Folders, variables and names, as the earlier parts of a command leave them to the later ones. */
export class ShellState {
  /** The folders in which the command may be. */
  cwds: readonly Field[];
  readonly aliases = new Map<string, readonly Field[]>();
  /** Scripts that run at the end, or at any time. */
  readonly traps: Field[] = [];
  /** Names that got a value. */
  readonly names = new Set<string>();
  readonly #values: Map<string, Field>;
  #left: (readonly Field[])[] = [];

  constructor(cwd: string, home: string) {
    this.cwds = [cwd];
    this.#values = new Map([['HOME', home]]);
  }

  /** The value of a variable; undefined if nothing is known of it. */
  readonly valueOf = (name: string): Field | undefined =>
    name === 'PWD' && this.cwds.length === 1 ? this.cwds[0] : this.#values.get(name);

  /** Gives a variable of a loop its next value. */
  set(name: string, value: Field): void {
    this.#values.set(name, value);
  }

  /** Gives a name a value, or an unknown one if it had another. @returns why it must not be set; null if it may */
  assign({ name, value }: Setting): string | null {
    this.names.add(name);
    this.#values.set(name, (this.#values.get(name) ?? value) === value ? value : HOLE);
    return STARTING.test(name) ? `${name} changes what a shell runs` : null;
  }

  /** Does what a builtin does to folders, variables and names. @returns why it cannot be followed; null if it can */
  change(name: string, args: readonly Field[]): string | null {
    const given = args.filter((it) => it.includes('=')).map(toSetting);
    if (REDEFINING.has(name) && args.length > 0) return `${name} gives a name another meaning`;
    if (INDEXING.has(name) && args.some((it) => it.includes('[') && /\$\(|`/.test(it)))
      return 'the index of a name contains a substitution';
    if (name === 'trap') this.traps.push(...args.filter((it) => !it.startsWith('-')).slice(0, 1));
    if (name === 'alias')
      for (const it of given) this.aliases.set(it.name, [...it.value.split(/\s+/).filter((word) => word !== '')]);
    if (FILLING.has(name) && (name !== 'printf' || args[0] === '-v'))
      for (const it of args.filter((word) => /^[A-Za-z_]\w*$/.test(word))) this.assign({ name: it, value: HOLE });
    this.#move(name, args);
    if (!DECLARING.has(name)) return null;
    if (args.some((it) => /^-\w*n/.test(it))) return 'a name stands for another name';
    return given.map((it) => this.assign(it)).find((it) => it !== null) ?? null;
  }

  #move(name: string, args: readonly Field[]): void {
    if (name === 'pushd') this.#left.push(this.cwds);
    if (name === 'popd') this.cwds = this.#left.pop() ?? [HOLE];
    if (name !== 'cd' && name !== 'pushd') return;
    const folder = args.find((it) => !/^-./.test(it)) ?? this.#values.get('HOME') ?? HOLE;
    if (folder === '-' || !isKnown(folder[0] ?? HOLE)) this.cwds = [HOLE];
    else this.cwds = folder.startsWith('/') ? [folder] : union(this.cwds.map((it) => `${it}/${folder}`));
  }
}
