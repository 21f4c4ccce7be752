import { dirname } from 'node:path';
import { matchesAnyCase, matchesPath, mayHold } from '../paths/patterns.ts';
import { below } from '../paths/real-path.ts';
import type { Target } from '../paths/targets.ts';
import { ALLOW, deny, listOf, NOT_APPLICABLE, unreadable, type Call, type DecideAtom } from './gate-module.ts';

/** Files that builds and tests leave behind and git does not track: a shell may write and remove them. */
export const SCRATCH = [
  ...'node_modules dist build out target coverage .cache .venv venv __pycache__ .pytest_cache .mypy_cache .ruff_cache .next .nuxt .turbo .parcel-cache .gradle .tox tmp'
    .split(' ')
    .map((it) => `**/${it}`),
  ...['**/*.log', '**/*.tmp', '**/*.pyc', '**/*.orig', '**/*.bak', '**/*.tsbuildinfo', '**/.DS_Store'],
];

/** Paths that a shell may write besides the worktree. */
const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/folders', '/dev/shm'];

/** Whether a path lies in a temporary folder, and not in the worktree or beside it: both may lie in one themselves. */
export function isTemporary(path: string, worktree: string): boolean {
  const beside = dirname(worktree);
  const own = TEMPORARY.includes(beside) ? worktree : beside;
  return below(own, path) === null && TEMPORARY.some((it) => below(it, path) !== null);
}

/** Whether a shell may write a path although the task does not list it: output of builds, and temporary files. */
export function isScratch({ relative, path, isShell }: Target, worktree: string): boolean {
  if (!isShell || path === null) return false;
  return relative === null ? isTemporary(path, worktree) : matchesPath(relative, SCRATCH);
}

/** `scope::files-whitelist`: only files that the task lists may be written. An empty list is no limit. */
export const filesWhitelist: DecideAtom = (call, gate, task) => {
  const listed = listOf('files-whitelist', gate, task);
  if (listed.length === 0) return NOT_APPLICABLE;
  const patterns = [...listed, ...listOf('ssot-patterns', gate, task)];
  const isListed = ({ relative }: Target) => relative !== null && relative !== '' && matchesPath(relative, patterns);
  const stray = call.targets.find((it) => !it.isDoubtful && !isListed(it) && !isScratch(it, call.place.worktree));
  if (stray !== undefined) {
    const allowed = patterns.slice(0, 8).join(', ');
    return deny(
      `${stray.named} is not in the task's files-whitelist`,
      `write only to ${allowed}, or say in your report which file the list needs`,
    );
  }
  return otherwise(call);
};

/** `scope::files-denylist`: no file that the task denies may be written, whatever the whitelist says. */
export const filesDenylist: DecideAtom = (call, gate, task) => {
  const patterns = listOf('files-denylist', gate, task);
  if (patterns.length === 0) return NOT_APPLICABLE;
  const stray = call.targets.find((it) => isDenied(it, patterns));
  if (stray === undefined) return otherwise(call);
  return deny(
    `${stray.named} is in the task's files-denylist`,
    'do not change the file; describe the change in your report',
  );
};

/** Whether a target is denied. A folder that is removed, moved or linked takes the denied files in it along. */
function isDenied({ relative, removes, recursive, by }: Target, patterns: readonly string[]): boolean {
  if (relative === null) return false;
  const takesFolder = recursive || (removes && by === 'mv');
  return matchesAnyCase(relative, patterns) || (takesFolder && mayHold(relative, patterns));
}

function otherwise({ command, targets }: Call) {
  if (command !== null && command.faults.length > 0) return unreadable(command);
  return targets.length === 0 ? NOT_APPLICABLE : ALLOW;
}
