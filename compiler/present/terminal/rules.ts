import { RULES, type RuleId } from '../../schema/diagnostics.ts';
import { RULEBOOK } from '../../schema/rules/rulebook.ts';

/** One rule for people: its meaning, its reason, and its fix. */
export function explainRule(id: RuleId): string {
  const { class: kind, means, why, help, fix } = RULEBOOK[id];
  const kinds = `${RULES[id]}, ${kind}${fix ? ', fixed by `vade lint --fix`' : ''}`;
  return `### ${id}\n\n${means}. _(${kinds})_\n\n- **Why:** ${why}.\n- **Fix:** ${help}.`;
}
