import type { GitChange, GitState } from '../../schema/task/git-state.ts';
import { byText } from '../../trust/canonical.ts';

/** What differs between two states of a repository, by path. */
export function gitChanges(before: GitState, after: GitState): GitChange[] {
  const paths = new Set([...Object.keys(before.entries), ...Object.keys(after.entries)]);
  const changes = [...paths].map((path) => ({
    path,
    before: entryOf(before, path),
    after: entryOf(after, path),
  }));
  return changes.filter((it) => it.before !== it.after).sort((a, b) => byText(a.path, b.path));
}

function entryOf({ entries }: GitState, path: string): string | null {
  return Object.hasOwn(entries, path) ? (entries[path] ?? null) : null;
}
