import { listOf } from '../../capabilities/atoms/gate-module.ts';
import { RULES } from '../../capabilities/atoms/scope-no-rule-edits.ts';
import { matchesAnyCase, matchesPath } from '../../capabilities/paths/patterns.ts';
import { failFor, notApplicable, type CheckModule } from './check-module.ts';

/** `scope::files-whitelist`: every changed file is on the task's list. An empty list is no limit. */
export const filesWhitelist: CheckModule = ({ changes }, check, task) => {
  const listed = listOf('files-whitelist', check, task);
  if (listed.length === 0) return notApplicable('the task lists no files');
  const patterns = [...listed, ...listOf('ssot-patterns', check, task)];
  const stray = changes.map((it) => it.path).filter((it) => !matchesPath(it, patterns));
  return failFor(stray, 'files outside of files-whitelist changed');
};

/** `scope::files-denylist`: no file that the task denies changed, in whatever case of letters it is written. */
export const filesDenylist: CheckModule = ({ changes }, check, task) => {
  const patterns = listOf('files-denylist', check, task);
  if (patterns.length === 0) return notApplicable('the task denies no files');
  const stray = changes.map((it) => it.path).filter((it) => matchesAnyCase(it, patterns));
  return failFor(stray, 'files of files-denylist changed');
};

/** `scope::no-rule-edits`: no rule for agents changed. Rules in the home folder are not part of the work. */
export const noRuleEdits: CheckModule = ({ changes }, { paths }) => {
  const patterns = (paths.length === 0 ? RULES : paths).filter((it) => !it.startsWith('~/'));
  const stray = changes.map((it) => it.path).filter((it) => matchesAnyCase(it, patterns));
  return failFor(stray, 'rules for agents changed');
};
