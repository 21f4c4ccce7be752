import picomatch from 'picomatch';

/** A longer path is not matched: it is taken for one that no pattern names. */
const MAX_PATH = 4096;

/** With `s` a name may hold ends of lines, as those of files may. */
const OPTIONS = { dot: true, nonegate: true, strictSlashes: false, flags: 's' };

/** A list is asked for thousands of paths, and to compile a pattern costs as much as to match a hundred. */
const compiled = new WeakMap<readonly string[], picomatch.Matcher>();

/** Whether a path below the worktree matches one of some patterns. A folder stands for all that is in it. */
export function matchesPath(path: string, patterns: readonly string[]): boolean {
  if (path.length > MAX_PATH) return false;
  const matches = compiled.get(patterns) ?? picomatch([...patterns], OPTIONS);
  compiled.set(patterns, matches);
  return matches(path);
}
