import { dirname } from 'node:path';
import type { ToolCall } from '../atoms/gate-module.ts';
import { isScratch } from '../atoms/scratch-files.ts';
import { mayMatch } from '../paths/protected-files.ts';
import type { WriteTarget } from '../paths/targets.ts';
import { isKnown } from '../shell/field.ts';

/** A folder of more names is not looked through for what a glob means. */
const MAX_NAMES = 2000;

/**
 * A file that would be written, and that has another name as well: who writes the one writes the other, wherever it
 * lies. Taking one of its names away changes no file, and what builds and package managers keep in ignored folders is
 * often linked.
 */
export function secondNameOf({ targets, place, disk }: ToolCall): WriteTarget | undefined {
  const isLinked = (path: string) => {
    try {
      return disk.linksOf(path) > 1;
    } catch {
      // below a file, or a name too long: nothing is there
      return false;
    }
  };
  return targets.find((it) => {
    if (it.removes || it.path === null || isScratch({ ...it, isShell: true }, place.worktree)) return false;
    return isLinked(it.path) || named(it, disk).some(isLinked);
  });
}

/** The files whose names a glob may mean. */
function named({ glob }: WriteTarget, disk: ToolCall['disk']): string[] {
  const folder = glob === null ? '' : dirname(glob);
  if (glob === null || !isKnown(folder)) return [];
  const last = glob.slice(folder.length + 1);
  const names = disk.namesIn(folder) ?? [];
  return names.slice(0, MAX_NAMES).flatMap((it) => (mayMatch(last, it) ? [`${folder}/${it}`] : []));
}
