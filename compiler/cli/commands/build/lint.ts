import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { LINT } from '../../../app/flags/sources.ts';
import type { FixedFile } from '../../../app/lint/fix-sources.ts';
import { type Diagnostic, type RuleId, RULES } from '../../../schema/diagnostics.ts';
import { VadeError } from '../../../schema/errors.ts';
import { type CommandResult, defineCommand } from '../../registry.ts';

const DiagnosticShape = z.object({
  rule: z.string(),
  severity: z.enum(['error', 'warning']),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  message: z.string(),
  help: z.string(),
});

export const lintCommand = defineCommand({
  path: 'lint',
  description: 'Report everything that is wrong with the sources, before they are committed',
  danger: 'mutating',
  flags: LINT,
  exits: ['PRECONDITION', 'NOT_FOUND'],
  output: z.union([
    z.object({
      effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
      files: z.int(),
      errors: z.int(),
      warnings: z.int(),
      faults: z.array(DiagnosticShape),
      mended: z.array(z.object({ file: z.string(), changes: z.array(z.string()) })),
    }),
    z.object({ rule: z.string(), severity: z.enum(['error', 'warning']), explanation: z.string() }),
  ]),
  examples: [
    { description: 'Lint the working tree', command: 'vade lint' },
    { description: 'See what would be fixed', command: 'vade lint --fix --dry-run' },
    { description: 'Annotate a pull request', command: 'vade lint --report github' },
    { description: 'For code scanning', command: 'vade lint --report sarif --out lint.sarif' },
    { description: 'What a rule means', command: 'vade lint --explain trigger_overlap' },
  ],
  run: async (args, world) => {
    if (args.explain !== undefined) return explain(args.explain);
    const { lintAndReport } = await import('../../../app/lint/lint-and-report.ts');
    const { faults, files, fixed } = await lintAndReport(args, world);
    return conclude(faults, files, fixed, args['dry-run']);
  },
});

async function explain(rule: string): Promise<CommandResult> {
  const { explainRule } = await import('../../../present/terminal/rules.ts');
  const known = Object.keys(RULES);
  if (!known.includes(rule)) {
    const suggestion = `did you mean “${closest(rule, known)}”?`;
    throw new VadeError('argument_invalid', `--explain: “${rule}” is not a rule`, { flag: 'explain', suggestion });
  }
  const explanation = explainRule(rule as RuleId);
  return { data: { rule, severity: RULES[rule as RuleId], explanation }, text: explanation };
}

function conclude(
  faults: readonly Diagnostic[],
  files: number,
  fixed: readonly FixedFile[],
  dry: boolean,
): CommandResult {
  const errors = faults.filter((it) => it.severity === 'error').length;
  const warnings = faults.length - errors;
  const mended = fixed.map(({ file, changes }) => ({ file, changes }));
  const effect = `${dry ? 'would_' : ''}${fixed.length === 0 ? 'noop' : dry ? 'update' : 'updated'}`;
  const counted = `${errors} errors and ${warnings} warnings in ${files} files`;
  const done = fixed.length === 0 ? '' : `; ${dry ? 'would fix' : 'fixed'} ${fixed.length} files`;
  const [first] = faults.filter((it) => it.severity === 'error');
  if (first) {
    const suggestion = `vade lint --explain ${first.rule} explains a rule`;
    throw new VadeError('sources_invalid', `${counted}${done}`, { effect, faults, mended, suggestion });
  }
  return {
    data: { effect, files, errors, warnings, faults, mended },
    text: `${counted}${done}`,
    warnings: faults.map((it) => ({ code: it.rule.toUpperCase(), message: it.message, context: it })),
  };
}
