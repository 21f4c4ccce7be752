import picomatch from 'picomatch';

/** A longer path is not matched: it is taken for one that no pattern names. */
const MAX_PATH = 4096;

/** With `s` a name may hold ends of lines, as those of files may. */
const OPTIONS = { dot: true, nonegate: true, strictSlashes: false, flags: 's' };

/** Whether a path below the worktree matches one of some patterns. A folder stands for all that is in it. */
export function matchesPath(path: string, patterns: readonly string[]): boolean {
  if (path.length > MAX_PATH) return false;
  return patterns.some((pattern) => picomatch.isMatch(path, pattern, OPTIONS));
}
