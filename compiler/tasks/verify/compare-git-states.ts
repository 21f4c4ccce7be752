import { byText } from '../../trust/canonical.ts';
import { UNKNOWN, type GitChange, type GitState } from '../schema/git-state.ts';

/** The differences between two states of a repository, by path; unknown names are not a difference. */
export function gitChanges(before: GitState, after: GitState): GitChange[] {
  const paths = new Set([...Object.keys(before.entries), ...Object.keys(after.entries)]);
  const changes = [...paths].map((path) => ({
    path,
    before: entryOf(before, path),
    after: entryOf(after, path),
  }));
  return changes
    .filter((it) => it.before !== it.after && ![it.before, it.after].includes(UNKNOWN))
    .sort((a, b) => byText(a.path, b.path));
}

/** Unknown names in folders of git that were not there before. */
export function newNames(before: GitState, after: GitState): string[] {
  const paths = Object.keys(after.entries).sort(byText);
  return paths.filter((it) => entryOf(after, it) === UNKNOWN && entryOf(before, it) === null);
}

function entryOf({ entries }: GitState, path: string): string | null {
  return Object.hasOwn(entries, path) ? (entries[path] ?? null) : null;
}
