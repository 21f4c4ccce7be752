import { listOf } from '../../capabilities/atoms/gate-module.ts';
import { matchesAnyCase } from '../../capabilities/paths/patterns.ts';
import { failFor, notApplicable, type CheckModule } from './check-module.ts';

/** `scope::files-denylist`: no file that the task denies changed, in whatever case of letters it is written. */
export const filesDenylist: CheckModule = ({ changes }, check, task) => {
  const patterns = listOf('files-denylist', check, task);
  if (patterns.length === 0) return notApplicable('the task denies no files');
  const stray = changes.map((it) => it.path).filter((it) => matchesAnyCase(it, patterns));
  return failFor(stray, 'files of files-denylist changed');
};
