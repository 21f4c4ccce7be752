import { explainRule } from '../../compiler/present/terminal/rules.ts';
import { RULES, type RuleId } from '../../compiler/schema/diagnostics.ts';
import { RULEBOOK, type RuleClass } from '../../compiler/schema/rules/rulebook.ts';

/** The subject of the rules of a chapter. */
const CHAPTERS: Readonly<Record<RuleClass, string>> = {
  security: 'Text that could turn an agent against the people it works for, or leak private data',
  craft: 'How well recall will find the units of a garden',
  unit: 'One file and its content',
  garden: 'Several files compared with each other',
  capability: 'Atoms and roles: what an agent is told, stopped by and judged by',
  task: 'What one agent is started for',
  gate: 'Checks that need the history, the approvals, the budgets or the encoder',
};

const INTRODUCTION = `# Rules

<!-- generated from compiler/schema/rules/rulebook.ts; a test compares the two -->

All diagnostics by rule ID. An \`error\` stops the compile, a \`warning\` does not. \`vade lint\` checks every rule that
needs no history, approvals or model; \`vade lint --explain <rule>\` prints one entry of this page.

Nothing in a source can switch a rule off, because the author of a hostile text could write that too. A text that has to
describe an attack quotes it and calls it an attack. The rules of class security find known attacks, not all possible
ones: they support the review of a pull request, and do not replace it.`;

/** The page that explains all rules, by class. */
export function rulePage(): string {
  const classes = Object.keys(CHAPTERS) as RuleClass[];
  const ids = (Object.keys(RULES) as RuleId[]).sort();
  const chapters = classes.flatMap((kind) => [
    `## ${kind}`,
    `${CHAPTERS[kind]}.`,
    ...ids.filter((id) => RULEBOOK[id].class === kind).map(explainRule),
  ]);
  return `${[INTRODUCTION, ...chapters].join('\n\n')}\n`;
}
