import { posix } from 'node:path';
import type { SyntaxNode } from 'unbash';
import { Folders } from './folders.ts';
import { HOLE, STAR, type Field } from './words/field.ts';
import { MAX_ALTERNATIVES } from './words/limits.ts';

/**
 * The possible meanings of names anywhere in a command. The order of its parts is not followed: a name may have every
 * value that any part gives it, so that no order, branch, loop or subshell can hide one.
 */
export class Scope {
  readonly functions = new Map<string, SyntaxNode[]>();
  readonly aliases = new Map<string, Field[]>();
  readonly folders: Folders;
  readonly home: string;
  /** Grows with every new meaning. */
  changes = 0;
  hasShift = false;
  private readonly values = new Map<string, Field[][]>();
  private readonly written = new Map<string, Field[]>();
  /** The files that are written, by the last part of their path. */
  private readonly named = new Map<string, string[]>();
  private positionals: Field[][] = [[]];
  private settling: string | null = null;

  constructor(cwd: string, home: string) {
    this.folders = new Folders(cwd, home);
    this.home = home;
  }

  /** Gives a name one more value: one field, or those of an array. */
  assign(name: string, value: readonly Field[]): void {
    const values = this.values.get(name) ?? [];
    this.values.set(name, this.added(values, value));
  }

  /** All values of a name; null if the command gives it none. */
  valuesOf(name: string): readonly (readonly Field[])[] | null {
    // a value made of the one before would grow with every pass
    if (name === this.settling) return [[HOLE]];
    return this.values.get(name) ?? this.fromOutside(name);
  }

  /** Does work while a name is being given a value. */
  while<T>(name: string, work: () => T): T {
    const before = this.settling;
    this.settling = name;
    const result = work();
    this.settling = before;
    return result;
  }

  get names(): string[] {
    return [...this.values.keys()];
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** `$1`, `$2` … of one more call. */
  addPositionals(args: readonly Field[]): void {
    this.positionals = this.added(this.positionals, args);
  }

  /** The arguments of every call, also of what `shift` leaves of them. */
  get arguments(): readonly (readonly Field[])[] {
    if (!this.hasShift) return this.positionals;
    return this.positionals.flatMap((list) => [list, ...list.map((_, at) => list.slice(at + 1))]);
  }

  define(name: string, body: SyntaxNode): void {
    const known = this.functions.get(name) ?? [];
    if (known.includes(body)) return;
    this.functions.set(name, [...known, body]);
    this.changes++;
  }

  alias(name: string, text: Field): void {
    const known = this.aliases.get(name) ?? [];
    if (known.includes(text)) return;
    this.aliases.set(name, [...known, text]);
    this.changes++;
  }

  /** Keeps what the command writes to a file, which it may run afterwards. */
  write(path: Field, text: Field): void {
    for (const file of this.placesOf(path)) {
      const known = this.written.get(file) ?? [];
      if (known.includes(text)) continue;
      const name = posix.basename(file);
      if (known.length === 0) this.named.set(name, [...(this.named.get(name) ?? []), file]);
      this.written.set(file, [...known, text].slice(-MAX_ALTERNATIVES));
      this.changes++;
    }
  }

  /** The texts that the command writes to a file, or to every file that a glob may match. */
  writtenTo(path: Field): readonly Field[] {
    const places = this.placesOf(path);
    if (!path.includes(STAR)) return places.flatMap((file) => this.written.get(file) ?? []);
    const isMeant = globOf(places);
    return [...this.written].flatMap(([file, texts]) => (isMeant(file) ? texts : []));
  }

  /** The texts that the command writes to files of a name in any folder: programs may be looked up in each of them. */
  writtenAs(name: Field): readonly Field[] {
    return (this.named.get(name) ?? []).flatMap((file) => this.written.get(file) ?? []);
  }

  /** Every file that the command writes with a known text, by its path. */
  get writtenFiles(): ReadonlyMap<string, readonly Field[]> {
    return this.written;
  }

  private placesOf(path: Field): string[] {
    return [...new Set(this.folders.all.map((it) => posix.resolve(it, path)))];
  }

  private fromOutside(name: string): readonly (readonly Field[])[] | null {
    if (name === 'HOME') return [[this.home]];
    if (name === 'PWD') return this.folders.here.map((it) => [it]);
    if (name === 'SHELL' || name === 'BASH' || name === '0') return [['bash']];
    return null;
  }

  private added(values: Field[][], value: readonly Field[]): Field[][] {
    const key = value.join('\0');
    if (values.some((it) => it.length === value.length && it.join('\0') === key)) return values;
    if (values.length > MAX_ALTERNATIVES) return values;
    this.changes++;
    // too many to follow: from here on it may be anything
    return [...values, values.length === MAX_ALTERNATIVES ? [HOLE] : [...value]];
  }
}

/** More stars, or longer paths, are taken to match every file: a pattern of them could take very long. */
const MAX_STARS = 4;
const MAX_GLOB = 512;

/** Whether a file may be one that paths with globs mean: a star stops at a slash. */
function globOf(paths: readonly Field[]): (file: string) => boolean {
  if (paths.some((it) => it.length > MAX_GLOB || it.split(STAR).length > MAX_STARS + 1)) return () => true;
  const patterns = paths.map((path) => {
    const parts = path.split(STAR).map((it) => it.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('[^/]*')}$`);
  });
  return (file) => file.length > MAX_GLOB || patterns.some((it) => it.test(file));
}
