import { RULES, type RuleId } from '../../schema/diagnostics.ts';
import { CLASSES, RULEBOOK, type RuleClass } from '../../schema/rules/rulebook.ts';

/** One rule for a person: what it means, why it matters, how to mend it. */
export function explainRule(id: RuleId): string {
  const { class: kind, means, why, mend, fix } = RULEBOOK[id];
  return [
    `### ${id}`,
    `_${RULES[id]}, ${kind}${fix ? ', mended by `vade lint --fix`' : ''}_`,
    `${means}.`,
    `**Why:** ${why}.`,
    `**Mend:** ${mend}.`,
  ].join('\n\n');
}

const INTRODUCTION = `# Rules

<!-- written from compiler/schema/rules/rulebook.ts; a test holds them together -->

Everything an author can be told, by rule id. An \`error\` stops the compile, a \`warning\` is only told. \`vade lint\` tells
all of it that needs no history, approvals or model; \`vade lint --explain <rule>\` prints one entry of this page.

Nothing in a source can switch a rule off: whoever can write a text could write that too. A text that has to speak of an
attack quotes it and says that it is one. The rules of class security find what is known, not what is possible: they
support the review of a pull request, and do not replace it.`;

/** The page that explains every rule, by class. */
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
