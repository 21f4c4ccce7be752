import { basename, dirname, join } from 'node:path';
import type { Disk } from '../paths/disk.ts';
import { matchesPath, nameMatcher } from '../paths/patterns.ts';
import { below } from '../paths/real-path.ts';
import type { WriteTarget } from '../paths/targets.ts';
import { isKnown, STAR } from '../shell/field.ts';
import { ALLOW, deny, NOT_APPLICABLE, unreadable, valueOf, type DecideAtom } from './gate-module.ts';
import { isTemporary, SCRATCH_PATTERNS } from './scratch-files.ts';

/** Maximum number of deleted files, if the task gives none. */
export const DEFAULT_LIMIT = 20;
/** Folders are not counted on beyond this. */
const MAX_VISITED = 20_000;

/** `safety::no-mass-delete`: not more than N files at once; counted on the disk, without what builds leave behind. */
export const noMassDelete: DecideAtom = ({ targets, command, place, disk }, gate, task) => {
  if (command === null) return NOT_APPLICABLE;
  const given = valueOf('mass-delete-max', gate, task) ?? DEFAULT_LIMIT;
  if (typeof given !== 'number') throw new TypeError('mass-delete-max is not a number');
  const instead = 'delete the files one by one, or list them in your report';
  let count = 0;
  for (const it of targets.filter((target) => target.removes && target.by !== 'mv')) {
    if (it.path === null) {
      if (it.recursive) return deny('the gate cannot tell which files would be deleted', instead);
      continue;
    }
    if (below(it.path, place.worktree) !== null || below(it.path, place.home) !== null) {
      return deny(`${it.named} contains the whole worktree or home folder`, instead);
    }
    if (isTemporary(it.path, place.worktree)) continue;
    count += countFiles(it, given - count, place.worktree, disk);
    if (count > given) return deny(`more than ${given} files would be deleted`, instead);
  }
  if (command.faults.length > 0) return unreadable(command);
  return targets.some((it) => it.removes) ? ALLOW : NOT_APPLICABLE;
};

/** Files that a target means on the disk, up to one more than allowed. */
function countFiles(target: WriteTarget, allowed: number, worktree: string, disk: Disk): number {
  let visited = 0;
  let count = 0;
  const visit = (path: string, isWhole: boolean, wanted: (name: string) => boolean): void => {
    const inside = below(worktree, path);
    if (count > allowed || (inside !== null && inside !== '' && matchesPath(inside, SCRATCH_PATTERNS))) return;
    if (++visited > MAX_VISITED) count = allowed + 1;
    if (disk.kindOf(path) !== 'folder') {
      if (isWhole || wanted(basename(path))) count++;
      return;
    }
    for (const name of disk.namesIn(path) ?? []) visit(join(path, name), isWhole, wanted);
  };
  const { path, glob } = target;
  if (glob === null || path === null) visit(path ?? '', true, () => true);
  else for (const it of foldersOf(glob)) visit(it.folder, false, it.wanted);
  return count;
}

/** The folder that the known start of a glob names, and which names below it match. */
function foldersOf(glob: string): { folder: string; wanted: (name: string) => boolean }[] {
  const parts = glob.split('/');
  const firstUnknown = parts.findIndex((it) => !isKnown(it));
  const folder = parts.slice(0, firstUnknown).join('/');
  const last = (parts.at(-1) ?? '').replaceAll(STAR, '*').replaceAll(/[\uE000-\uE003]+/g, '*');
  return [
    {
      folder: folder === '' ? dirname(glob) : folder,
      wanted: nameMatcher(last),
    },
  ];
}
