import { matchesPath } from '../paths/patterns.ts';
import type { WriteTarget } from '../paths/targets.ts';
import { allowTargets, deny, listOf, NOT_APPLICABLE, type DecideAtom } from './gate-module.ts';
import { isScratch } from './scratch-files.ts';

/** `scope::files-whitelist`: only files that the task lists may be written. An empty list is no limit. */
export const filesWhitelist: DecideAtom = (call, gate, task) => {
  const listed = listOf('files-whitelist', gate, task);
  if (listed.length === 0) return NOT_APPLICABLE;
  const patterns = [...listed, ...listOf('ssot-patterns', gate, task)];
  const isListed = ({ relative }: WriteTarget) =>
    relative !== null && relative !== '' && matchesPath(relative, patterns);
  const stray = call.targets.find((it) => !isListed(it) && !isScratch(it, call.place.worktree));
  if (stray !== undefined) {
    const allowed = patterns.slice(0, 8).join(', ');
    return deny(
      `${stray.named} is not in the task's files-whitelist`,
      `write only to ${allowed}, or say in your report which file the list needs`,
    );
  }
  return allowTargets(call);
};
