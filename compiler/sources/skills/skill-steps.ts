import { type Authorship, type Change, type Commit } from '../../schema/source/sources.ts';
import { sha256 } from '../../trust/canonical.ts';
import { nearestFolder, type SkillFolder } from './find-skills.ts';

/** A skill, and the path of the unit that it is. */
export interface PlacedSkill {
  readonly unit: string;
  readonly skill: SkillFolder;
}

/**
 * The history with every change of a skill's folder as a change of its unit (§21.4.2). A former unit of the same name
 * keeps its versions, and the skill's come after them.
 *
 * @param isAsked whether a path belongs to the history by itself
 */
export function withSkillSteps(
  commits: readonly Commit[],
  placed: readonly PlacedSkill[],
  isAsked: (path: string) => boolean,
): Commit[] {
  const trackers = placed.map(({ unit, skill }) => trackerOf(unit, skill, lastChange(commits, unit)));
  const ownersOf = ownersAmong(trackers, new Map(placed.map(({ skill }) => [skill.folder, 0])));
  return commits.flatMap((commit, at) => {
    const steps = new Map<Tracker, Change[]>();
    for (const change of commit.changes)
      for (const it of ownersOf(change.path)) steps.set(it, [...(steps.get(it) ?? []), change]);
    for (const it of trackers) if (it.from === at && !steps.has(it)) steps.set(it, []);
    const own = commit.changes.filter(({ path }) => isAsked(path));
    const made = [...steps].flatMap(([it, changes]) => it.step(commit, at, changes));
    return own.length + made.length === 0 ? [] : [{ ...commit, changes: [...own, ...made] }];
  });
}

function lastChange(commits: readonly Commit[], path: string): number {
  return commits.findLastIndex(({ changes }) => changes.some((it) => it.path === path));
}

type Tracker = ReturnType<typeof trackerOf>;

/** Follows the files of one folder. @param from place of the first commit that counts; before it was another unit */
function trackerOf(unit: string, { folder, file, beyond }: SkillFolder, from: number) {
  const blobs = new Map<string, string>();
  const step = (commit: Commit, at: number, changes: readonly Change[]): Change[] => {
    for (const { path, blob } of changes) {
      if (blob === null) blobs.delete(path);
      else blobs.set(path, blob);
    }
    if (at < from) return [];
    const blob = blobs.get(file.path) ?? null;
    const listed = [...blobs].map((it) => it.join('\0')).sort();
    return [
      { path: unit, blob, ...(blob !== null && { folder: sha256(listed.join('\n')) }), ...credit(commit, changes) },
    ];
  };
  return { folder, beyond: new Set(beyond), from, step };
}

/** The skills that a path is part of, cached by path. */
function ownersAmong(trackers: readonly Tracker[], folders: ReadonlyMap<string, unknown>) {
  const known = new Map<string, readonly Tracker[]>();
  return (path: string): readonly Tracker[] => {
    let found = known.get(path);
    if (found !== undefined) return found;
    const nearest = nearestFolder(path, folders);
    found = trackers.filter((it) => it.folder === nearest || it.beyond.has(path));
    known.set(path, found);
    return found;
  };
}

/** Everyone who wrote any of the changes. */
function credit(commit: Commit, changes: readonly Change[]): Pick<Change, 'by' | 'before'> {
  const by = unique(changes.flatMap((it) => it.by ?? [commit]));
  const before = unique(changes.flatMap((it) => it.before ?? []));
  return { ...(changes.some((it) => it.by) && { by }), ...(before.length > 0 && { before }) };
}

const unique = (all: readonly Authorship[]) => [...new Map(all.map((it) => [it.id, it])).values()];
