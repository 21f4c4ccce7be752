import { describe, expect, test } from 'vitest';
import { RULES, SECURITY_RULES } from '../../compiler/schema/diagnostics.ts';
import { CAPABILITY } from '../../compiler/schema/rules/capability.ts';
import { CRAFT } from '../../compiler/schema/rules/craft.ts';
import { TASK } from '../../compiler/schema/rules/task.ts';
import { compileErrors, lintErrors } from './author-errors/agreement.ts';
import { BUDGETS } from './author-errors/budgets.ts';
import { FILES } from './author-errors/files.ts';
import { FRONT_MATTER } from './author-errors/front-matter.ts';
import { GARDENS } from './author-errors/gardens.ts';
import { GRAPHS } from './author-errors/graphs.ts';
import { expectedPlaces, faultsOf, placeOf, sourcesOf, type Row } from './author-errors/row.ts';

const TABLES: readonly (readonly [string, readonly Row[]])[] = [
  ['DESIGN §5 front matter', FRONT_MATTER],
  ['DESIGN §5 a unit that does not fit its garden', GARDENS],
  ['§21.1.2, §21.2.1 a budget', BUDGETS],
  ['DESIGN §6.7 an ANN graph that cannot be built, or is not used', GRAPHS],
];

for (const [title, rows] of TABLES) {
  describe(`${title} is reported by rule, file, line and column`, () => {
    test.each(rows)('a compile reports $rule at $file:$line:$column, and a lint agrees ($title)', async (row) => {
      const sources = sourcesOf(row);
      const faults = await faultsOf(sources, row.over);
      expect(faults.map(placeOf)).toEqual(expectedPlaces(row));
      // a row that changes what a compile is given changes no source
      if (row.over === undefined) expect(await lintErrors(sources)).toEqual(compileErrors(faults));
    });
  });
}

/** Rules of gates, which ask for signatures and judgements: their own tests reach them. */
const GATES = [
  'approval_invalid',
  'approval_lapsed',
  'approvals_unchecked',
  'approver_on_branch',
  'bypass_approval_required',
  'coverage_failure',
  'coverage_misplaced',
  'coverage_not_evaluated',
  'coverage_other_language',
  'coverage_own_text',
  'coverage_repetition',
  'coverage_skipped',
  'findability_low',
  'migration_evidence_missing',
  'migration_stage_skipped',
  'phrase_capture',
  'probe_coverage_low',
  'probe_lost',
  'quarantine_needed',
  'quarantined',
  'withdrawal_invalid',
];

test('every rule has a row in these tables or in that of files, except the rules of lint and of the gates', () => {
  const rows = [...FILES, ...TABLES.flatMap(([, table]) => table)];
  const reached = rows.flatMap((row) => [row, ...(row.also ?? [])]);
  // atoms and roles have tables of their own in test/capabilities/lint, tasks in test/tasks
  const ofCapabilities = [...Object.keys(CAPABILITY), ...Object.keys(TASK), 'toml_invalid'];
  // it asks git, and stands among the attacks (test/attack/4-tracked-files.test.ts)
  const ofGit = 'private_file_committed';
  // about a history, and about folders beside the sources: test/gardens/versioned-units.test.ts, test/sources/skills
  const beside = ['rename_undeclared', 'skill_left_out', 'skills_missing', ofGit];
  const elsewhere = new Set<string>([...SECURITY_RULES, ...Object.keys(CRAFT), ...GATES, ...ofCapabilities, ...beside]);
  const own = Object.keys(RULES).filter((rule) => !elsewhere.has(rule));
  expect([...new Set(reached.map((it) => it.rule))].sort()).toEqual(own.sort());
});
