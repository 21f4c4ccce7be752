import { readPathPattern, type PathWay } from '../../schema/path-grammar.ts';

/** A longer path is not matched: it is taken for one that no pattern names. */
const MAX_PATH = 4096;

/** One token of a name: any text, any character, or a character that the function accepts. */
type Token = '*' | '?' | ((char: string) => boolean);

/** A name of a pattern. */
interface NameGlob {
  readonly text: string;
  /** Null if it is literal. */
  readonly tokens: readonly Token[] | null;
}

interface Glob {
  readonly names: readonly NameGlob[];
  readonly isFolder: boolean;
}

type Globs = readonly Glob[];

/** A list is asked for thousands of paths. */
const compiled = new WeakMap<readonly string[], { exact?: Globs; folded?: Globs }>();

/** Whether a path below the worktree matches a pattern, case-sensitively. @throws if one can match no path */
export function matchesPath(path: string, patterns: readonly string[]): boolean {
  const names = namesOf(path);
  return names !== null && globsOf(patterns, 'exact').some((it) => isMeant(it, names));
}

/** As {@link matchesPath}, in whatever case of letters and form of accents: some disks take them for one. */
export function matchesAnyCase(path: string, patterns: readonly string[]): boolean {
  const names = namesOf(fold(path));
  return names !== null && globsOf(patterns, 'folded').some((it) => isMeant(it, names));
}

/** Whether something below a folder may match a pattern, in any case of letters. @throws as {@link matchesPath} */
export function mayHold(folder: string, patterns: readonly string[]): boolean {
  const names = namesOf(fold(folder)) ?? [];
  return globsOf(patterns, 'folded').some((it) => isOnTheWay(it, names));
}

/** Whether patterns mean everything in a folder, as it is written or in any case of letters. */
export function meansAll(folder: string, patterns: readonly string[], how: 'exact' | 'folded'): boolean {
  const names = namesOf(how === 'folded' ? fold(folder) : folder);
  return names !== null && globsOf(patterns, how).some((it) => it.isFolder && isMeant(it, names));
}

/** A test for one name, as a list has it between slashes. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const glob = toNameGlob(pattern);
  return (name) => isNamed(glob, name);
}

/** The names of a path; null for a path that no list covers: one that leaves its folder, say. */
function namesOf(path: string): string[] | null {
  const names = path.length > MAX_PATH ? ['..'] : path.split('/').filter((it) => it !== '');
  return names.includes('..') ? null : names;
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function globsOf(patterns: readonly string[], how: 'exact' | 'folded'): Globs {
  const known = compiled.get(patterns) ?? {};
  compiled.set(patterns, known);
  return (known[how] ??= patterns.flatMap((it) => toGlobs(how === 'folded' ? fold(it) : it)));
}

function toGlobs(pattern: string): Glob[] {
  const ways = readPathPattern(pattern);
  if (typeof ways === 'string') throw new TypeError(`${JSON.stringify(pattern)} ${ways}`);
  return ways.map(({ names, isFolder }: PathWay) => ({ names: names.map(toNameGlob), isFolder }));
}

const isDeep = (glob: NameGlob | undefined) => glob?.text === '**';

/** Linear in both: only the last `**` is tried again: the first fit of an earlier one leaves the most for the rest. */
function isMeant({ names, isFolder }: Glob, path: readonly string[]): boolean {
  let at = 0;
  let read = 0;
  let deep = -1;
  let from = 0;
  for (;;) {
    const glob = names[at];
    if (glob === undefined && (isFolder || read === path.length)) return true;
    if (isDeep(glob)) {
      deep = at++;
      from = read;
    } else if (glob !== undefined && read < path.length && isNamed(glob, path[read] ?? '')) {
      at++;
      read++;
    } else {
      if (deep < 0 || from >= path.length) return false;
      at = deep + 1;
      read = ++from;
    }
  }
}

function isOnTheWay({ names }: Glob, folder: readonly string[]): boolean {
  for (const [at, name] of folder.entries()) {
    const glob = names[at];
    if (isDeep(glob)) return true;
    if (glob === undefined || !isNamed(glob, name)) return false;
  }
  return true;
}

function isNamed({ text, tokens }: NameGlob, name: string): boolean {
  if (tokens === null || text === name) return text === name;
  let at = 0;
  let read = 0;
  let star = -1;
  let from = 0;
  while (read < name.length || at < tokens.length) {
    const token = tokens[at];
    if (token === '*') {
      star = at++;
      from = read;
    } else if (token !== undefined && read < name.length && (token === '?' || token(name[read] ?? ''))) {
      at++;
      read++;
    } else {
      if (star < 0 || from >= name.length) return false;
      at = star + 1;
      read = ++from;
    }
  }
  return true;
}

function toNameGlob(text: string): NameGlob {
  if (!/[*?[]/.test(text)) return { text, tokens: null };
  const tokens: Token[] = [];
  for (const [whole, not, members] of text.matchAll(/\*+|\[([!^]?)(\]?[^\]]*)\]|[^]/g)) {
    if (whole.startsWith('*')) tokens.push('*');
    else if (members !== undefined && members !== '') tokens.push(charactersOf(members, not !== ''));
    else if (whole === '?') tokens.push('?');
    else for (const char of whole.split('')) tokens.push((it) => it === char);
  }
  return { text, tokens };
}

/** `[a-z_]`: the characters of a class, or all others. */
function charactersOf(members: string, isOther: boolean): Token {
  const ranges = [...members.matchAll(/([^])-([^])|[^]/g)].map(
    ([one, first = one, last = one]) => [first, last] as const,
  );
  return (char) => ranges.some(([first, last]) => first <= char && char <= last) !== isOther;
}
