import { listOf } from '../../capabilities/atoms/gate-module.ts';
import { matchesPath } from '../../capabilities/paths/patterns.ts';
import { failFor, notApplicable, type CheckModule } from './check-module.ts';

/** `scope::files-whitelist`: every changed file is on the task's list. An empty list is no limit. */
export const filesWhitelist: CheckModule = ({ changes }, check, task) => {
  const listed = listOf('files-whitelist', check, task);
  if (listed.length === 0) return notApplicable('the task lists no files');
  const patterns = [...listed, ...listOf('ssot-patterns', check, task)];
  const stray = changes.map((it) => it.path).filter((it) => !matchesPath(it, patterns));
  return failFor(stray, 'files outside of files-whitelist changed');
};
