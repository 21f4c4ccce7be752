import { matchesAnyCase, mayHold } from '../paths/patterns.ts';
import type { WriteTarget } from '../paths/targets.ts';
import { allowTargets, deny, listOf, NOT_APPLICABLE, type DecideAtom } from './gate-module.ts';

/** `scope::files-denylist`: no file that the task denies may be written, whatever the whitelist says. */
export const filesDenylist: DecideAtom = (call, gate, task) => {
  const patterns = listOf('files-denylist', gate, task);
  if (patterns.length === 0) return NOT_APPLICABLE;
  const stray = call.targets.find((it) => isDenied(it, patterns));
  if (stray === undefined) return allowTargets(call);
  return deny(
    `${stray.named} is in the task's files-denylist`,
    'do not change the file; describe the change in your report',
  );
};

/** Whether a target is denied. A folder that is removed, moved or linked takes the denied files in it along. */
function isDenied({ relative, removes, recursive, by }: WriteTarget, patterns: readonly string[]): boolean {
  if (relative === null) return false;
  const takesFolder = recursive || (removes && by === 'mv');
  return matchesAnyCase(relative, patterns) || (takesFolder && mayHold(relative, patterns));
}
