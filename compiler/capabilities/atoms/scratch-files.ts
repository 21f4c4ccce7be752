import { dirname } from 'node:path';
import { matchesPath } from '../paths/patterns.ts';
import { below } from '../paths/real-path.ts';
import type { WriteTarget } from '../paths/targets.ts';

/** Files that builds and tests leave behind and git does not track: a shell may write and remove them. */
export const SCRATCH_PATTERNS = [
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
export function isScratch({ relative, path, isShell }: WriteTarget, worktree: string): boolean {
  if (!isShell || path === null) return false;
  return relative === null ? isTemporary(path, worktree) : matchesPath(relative, SCRATCH_PATTERNS);
}
