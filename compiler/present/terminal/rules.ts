import { RULES, type RuleId } from '../../schema/diagnostics.ts';
import { RULEBOOK } from '../../schema/rules/rulebook.ts';

/** One rule for people: its meaning, its reason, and its fix. */
export function explainRule(id: RuleId): string {
  const { class: kind, means, why, help, fix } = RULEBOOK[id];
  return [
    `### ${id}`,
    `_${RULES[id]}, ${kind}${fix ? ', fixed by `vade lint --fix`' : ''}_`,
    `${means}.`,
    `**Why:** ${why}.`,
    `**Fix:** ${help}.`,
  ].join('\n\n');
}
