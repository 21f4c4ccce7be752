import { RULES, type RuleId } from '../../schema/diagnostics.ts';
import { CLASSES, RULEBOOK, type RuleClass } from '../../schema/rules/rulebook.ts';

/** One rule for people: what it means, why it matters, how to fix it. */
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

const INTRODUCTION = `# Rules

<!-- generated from compiler/schema/rules/rulebook.ts; a test compares the two -->

All diagnostics by rule ID. An \`error\` stops the compile, a \`warning\` does not. \`vade lint\` checks every rule that
needs no history, approvals or model; \`vade lint --explain <rule>\` prints one entry of this page.

Nothing in a source can switch a rule off, because the author of a hostile text could write that too. A text that has to
describe an attack quotes it and calls it an attack. The rules of class security find known attacks, not all possible
ones: they support the review of a pull request, and do not replace it.`;

/** The page that explains all rules, by class. */
export function rulePage(): string {
  const classes = Object.keys(CLASSES) as RuleClass[];
  const ids = (Object.keys(RULES) as RuleId[]).sort();
  const chapters = classes.flatMap((kind) => [
    `## ${kind}`,
    `${CLASSES[kind]}.`,
    ...ids.filter((id) => RULEBOOK[id].class === kind).map(explainRule),
  ]);
  return `${[INTRODUCTION, ...chapters].join('\n\n')}\n`;
}
