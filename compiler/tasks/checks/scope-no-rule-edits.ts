import { RULES } from '../../capabilities/atoms/scope-no-rule-edits.ts';
import { matchesAnyCase } from '../../capabilities/paths/patterns.ts';
import { failFor, type CheckModule } from './check-module.ts';

/** `scope::no-rule-edits`: no rule for agents changed. Rules in the home folder are not part of the work. */
export const noRuleEdits: CheckModule = ({ changes }, { paths }) => {
  const patterns = (paths.length === 0 ? RULES : paths).filter((it) => !it.startsWith('~/'));
  const stray = changes.map((it) => it.path).filter((it) => matchesAnyCase(it, patterns));
  return failFor(stray, 'rules for agents changed');
};
