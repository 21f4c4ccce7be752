import { join } from 'node:path';
import { below } from './real-path.ts';
import type { Target } from './targets.ts';

/** What no agent may write, whatever its lists say. */
export interface Guarded {
  /** Folders and files, absolute and real: bindings, ledger, keys, the gate's own file. */
  readonly paths: readonly string[];
  readonly home: string;
}

/** Files that tell the host which hooks to run, wherever they lie. */
const SETTINGS =
  /(^|\/)\.claude(\/(settings[^/]*\.json|hooks)(\/|$)|$)|(^|\/)\.claude\.json$|(^|\/)managed-settings(\.d)?(\.json|\/|$)/i;
/** git's own files: hooks, references and configuration are not for editing. */
const GIT = /(^|\/)\.git(\/|$)/i;
/** Keys and local state of Vademecum. */
const STATE = /(^|\/)\.vade(\/|$)/i;
/** Start files of shells: every later command would run what is in them. */
const START =
  /^\.(bashrc|bash_profile|bash_login|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|gitconfig|inputrc)$|^\.config\/(git|fish)\//i;

/** Why a target is never written; null if nothing guards it. */
export function guardOf({ path, removes, by }: Target, { paths, home }: Guarded): string | null {
  if (path === null) return null;
  const own = paths.find((it) => below(it, path) !== null || (moves(removes, by) && below(path, it) !== null));
  if (own !== undefined) return 'bindings, keys, ledger and the gate itself';
  if (SETTINGS.test(path)) return 'the settings of hooks';
  if (GIT.test(path)) return 'git’s own files';
  if (STATE.test(path)) return 'keys and state of Vademecum';
  const inHome = below(home, path);
  return inHome !== null && START.test(inHome) ? 'start files of the shell' : null;
}

/** What is moved, linked or removed goes with all that is below it. */
function moves(removes: boolean, by: string): boolean {
  return removes || by === 'mv' || by === 'ln';
}

/** Names of guarded files in a text whose writes cannot be followed: code of another language, say. */
export function mentionsGuarded(text: string, { paths, home }: Guarded): boolean {
  const named =
    /\.claude(\.json|\/+(settings|hooks))|managed-settings|\.vade\/|vade-gate|(^|[^\w.-])\.git\/+(hooks|refs|config|HEAD|objects|index|logs|packed-refs)/i;
  return (
    named.test(text) || paths.some((it) => it !== '/' && (text.includes(it) || text.includes(it.replace(home, '~'))))
  );
}

/** The folder of bindings and what lies around it, and the gate's file. */
export function guardedPaths(folder: string, gate: string): string[] {
  return [folder, gate, join(folder, '..', 'hooks')];
}
