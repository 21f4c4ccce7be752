import { join } from 'node:path';
import { STAR, type Field } from '../shell/field.ts';
import { below } from './real-path.ts';
import type { WriteTarget } from './targets.ts';

/** A kind of files that a program of the person runs, or obeys. */
export interface Obeyed {
  /** For people. */
  readonly what: string;
  /** Its paths, wherever they begin; letters in any case, as some disks have it. */
  readonly at: RegExp;
}

/**
 * Kinds of files that no agent may write, whatever its role and its task say: everywhere, or in the person's home. The
 * gate knows these alone, since it starts before each tool call; the check of an agent's work knows all that is obeyed.
 */
export const PROTECTED: readonly (Obeyed & { readonly protectedIn: 'everywhere' | 'home' })[] = [
  {
    what: 'hook settings',
    at: /(^|\/)\.claude(\/(settings[^/]*\.json|hooks)(\/|$)|$)|(^|\/)\.claude\.json$|(^|\/)managed-settings(\.d)?(\.json|\/|$)/i,
    protectedIn: 'everywhere',
  },
  // hooks, references and configuration are not for editing
  { what: 'git’s own files', at: /(^|\/)\.git(\/|$)/i, protectedIn: 'everywhere' },
  { what: 'Vademecum’s keys and state', at: /(^|\/)\.vade(\/|$)/i, protectedIn: 'everywhere' },
  {
    // every later command would run what is in them
    what: 'shell start files',
    at: /(^|\/)(\.(bashrc|bash_profile|bash_login|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|gitconfig|inputrc)$|\.config\/(git|fish)\/)/i,
    protectedIn: 'home',
  },
];

/** Files that no agent may write, whatever its lists say. */
export interface ProtectedFiles {
  /** Folders and files, absolute and real: bindings, ledger, keys, the gate's own file. */
  readonly paths: readonly string[];
  readonly home: string;
}

/** Why a target is never written; null if it may be. A glob is tried with the protected names that it may match. */
export function protectionOf(target: WriteTarget, protectedFiles: ProtectedFiles): string | null {
  const { path, glob } = target;
  if (path === null) return null;
  const named = glob === null ? [] : [...(glob.includes(STAR) ? namesOf(glob) : []), ...withoutUnknown(glob)];
  return [path, ...named].map((it) => protectionOfPath(it, target, protectedFiles)).find((it) => it !== null) ?? null;
}

/**
 * A path without its unknown folders, as there may be none; and of an unknown name the folder, as it may mean any of
 * its files.
 */
function withoutUnknown(glob: Field): string[] {
  const short = glob.replaceAll(/\/[\uE000\uE003](?=\/)/g, '');
  return [short.replace(/\/[\uE000\uE001\uE003]$/, '')].map((it) => it.replaceAll(/[\uE000-\uE003]+/g, 'x'));
}

/** Protected names that a glob may match. */
const NAMES = ['.git', '.claude', '.vade', '.claude.json', 'settings.json', 'settings.local.json', 'hooks'];
/** Of more ways to read a glob only the first are tried: it has that many protected names in it already. */
const MAX_WAYS = 64;

/** The paths that a glob may match, with protected names for the names that only the disk knows. */
function namesOf(glob: Field): string[] {
  let ways = [''];
  for (const part of glob.split('/').slice(1)) {
    const known = part.includes(STAR) ? NAMES.filter((it) => mayMatch(part, it)) : [];
    const names = [...known, part.replaceAll(/[\uE000-\uE003]+/g, 'x')];
    ways = ways.flatMap((way) => names.map((it) => `${way}/${it}`)).slice(0, MAX_WAYS);
  }
  return ways;
}

/** No file has a longer name. */
const MAX_NAME = 255;

/** Whether a name may be one that a glob means: a star at the start matches no dot. */
export function mayMatch(part: Field, name: string): boolean {
  if ((part.startsWith(STAR) && name.startsWith('.')) || part.length > MAX_NAME) return false;
  const pieces = part.split(/[\uE000-\uE003]+/).map((it) => it.replaceAll(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`).test(name);
}

function protectionOfPath(path: string, { removes, by }: WriteTarget, { paths, home }: ProtectedFiles): string | null {
  const own = paths.find((it) => below(it, path) !== null || (moves(removes, by) && below(path, it) !== null));
  if (own !== undefined) return 'bindings, keys, the ledger and the gate itself';
  const inHome = below(home, path);
  const isProtected = ({ at, protectedIn }: (typeof PROTECTED)[number]) =>
    protectedIn === 'everywhere' ? at.test(path) : inHome !== null && at.exec(inHome)?.index === 0;
  return PROTECTED.find(isProtected)?.what ?? null;
}

/** Whether a whole worktree or more would be removed, moved or linked, with git’s own file in it. */
export function takesWorktree({ path, removes, recursive, by }: WriteTarget, worktree: string): boolean {
  const takes = (removes && by !== 'rmdir') || (recursive && by === 'ln');
  return path !== null && takes && below(path, worktree) !== null;
}

/** Whether a target is moved, linked or removed: everything below it goes with it. */
function moves(removes: boolean, by: string): boolean {
  return removes || by === 'mv' || by === 'ln';
}

/** Names of protected files in a text whose writes cannot be followed: code of another language, say. */
export function mentionsProtected(text: string, { paths, home }: ProtectedFiles): boolean {
  const named =
    /\.claude(\.json|\/+(settings|hooks))|managed-settings|\.vade\/|vade-gate|(^|[^\w.-])\.git\/+(hooks|refs|config|HEAD|objects|index|logs|packed-refs)|\bcapability['"\s,]+(un)?install\b/i;
  return (
    named.test(text) || paths.some((it) => it !== '/' && (text.includes(it) || text.includes(it.replace(home, '~'))))
  );
}

/** The folder of bindings and what lies around it, and the gate's file. */
export function protectedPaths(folder: string, gate: string): string[] {
  return [folder, gate, join(folder, '..', 'hooks')];
}
