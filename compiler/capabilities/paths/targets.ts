import { isAbsolute, resolve } from 'node:path';
import type { PlacedWrite } from '../shell/command.ts';
import { HOLE, isKnown, knownStart, QUOTED_HOLE, STAR, type Field } from '../shell/field.ts';
import type { Disk } from './disk.ts';
import { below, realPath } from './real-path.ts';

/** A file that a tool call would write, move or remove. */
export interface WriteTarget {
  /** As the call names it. */
  readonly named: string;
  /** Absolute, without links; of a partly unknown name with `x` for what is not known. Null if none of it is known. */
  readonly path: string | null;
  /** Below the worktree; null if it is elsewhere or unknown. */
  readonly relative: string | null;
  /** The names that a glob may match stand for one of them. */
  readonly glob: Field | null;
  readonly removes: boolean;
  readonly recursive: boolean;
  readonly by: string;
  /** Whether a shell writes it, not one of the host's tools for files. */
  readonly isShell: boolean;
}

/** Place of a tool call. */
export interface CallPlace {
  readonly cwd: string;
  readonly home: string;
  /** The real path of the worktree. */
  readonly worktree: string;
}

/** The target of a tool that edits one file. */
export function editedTarget(named: string, tool: string, place: CallPlace, disk: Disk): WriteTarget {
  const start = named === '~' || named.startsWith('~/') ? place.home + named.slice(1) : named;
  const path = realPath(resolve(place.cwd, start), disk);
  const relative = below(place.worktree, path);
  return {
    named,
    path,
    relative,
    glob: null,
    removes: false,
    recursive: false,
    by: tool,
    isShell: false,
  };
}

/** The targets of what a command writes, in every folder in which it may be then. */
export function writtenTargets(write: PlacedWrite, place: CallPlace, disk: Disk): WriteTarget[] {
  const { target, by, removes, recursive, cwds, entry } = write;
  const base = { named: shown(target), by, removes, recursive, isShell: true };
  // where these lead is open already: their links in /proc say nothing about files
  if (DEVICE.test(sample(target))) return [];
  if (!hasStart(target)) return [{ ...base, path: null, relative: null, glob: null }];
  return cwds.map((cwd) => {
    if (!isAbsolute(target) && !isKnown(cwd.replaceAll(STAR, '')))
      return { ...base, path: null, relative: null, glob: null };
    const named = resolve(cwd, target);
    const isFolder = entry !== undefined && disk.kindOf(realPath(sample(named), disk)) === 'folder';
    const whole = isFolder ? `${named}/${entry}` : named;
    const path = realPath(sample(whole), disk);
    return { ...base, path, relative: below(place.worktree, path), glob: isKnown(whole) ? null : whole };
  });
}

const DEVICE = /^\/dev\/(null|zero|stdin|stdout|stderr|tty|fd\/\w+)$/;

/** Whether enough of a path is known to tell its folder: a text of any kind at its start could lead anywhere. */
function hasStart(target: Field): boolean {
  const start = knownStart(target);
  const next = target[start.length];
  return start.includes('/') || (next !== HOLE && next !== QUOTED_HOLE);
}

function sample(path: Field): string {
  return path.replaceAll(/[\uE000-\uE003]+/g, 'x');
}

function shown(path: Field): string {
  return path.replaceAll(STAR, '*').replaceAll(/[\uE000-\uE003]+/g, '…');
}
