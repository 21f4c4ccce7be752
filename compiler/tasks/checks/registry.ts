import type { CheckModuleName } from '../../capabilities/schema/modules.ts';
import type { CheckModule } from './check-module.ts';
import { ledgerRowRequired, reportFormat, severityGrade } from './output-report.ts';
import { noGitOps } from './policy-no-git-ops.ts';
import { cargoCheckGreen, noWarnings } from './quality-cargo.ts';
import { constructorPattern } from './quality-constructor-pattern.ts';
import { testsGreen } from './quality-tests-green.ts';
import { noDepBump } from './safety-no-dep-bump.ts';
import { noMassDelete } from './safety-no-mass-delete.ts';
import { filesDenylist } from './scope-files-denylist.ts';
import { filesWhitelist } from './scope-files-whitelist.ts';
import { noRuleEdits } from './scope-no-rule-edits.ts';

/** Every check module by the name that `capability.toml` gives it. */
const CHECKS: Readonly<Record<CheckModuleName, CheckModule>> = {
  'verifies::output_ledger_row_required': ledgerRowRequired,
  'verifies::output_report_format': reportFormat,
  'verifies::output_severity_grade': severityGrade,
  'verifies::policy_no_git_ops': noGitOps,
  'verifies::quality_cargo_check_green': cargoCheckGreen,
  'verifies::quality_constructor_pattern': constructorPattern,
  'verifies::quality_no_warnings': noWarnings,
  'verifies::quality_tests_green': testsGreen,
  'verifies::safety_no_dep_bump': noDepBump,
  'verifies::safety_no_mass_delete': noMassDelete,
  'verifies::scope_files_denylist': filesDenylist,
  'verifies::scope_files_whitelist': filesWhitelist,
  'verifies::scope_no_rule_edits': noRuleEdits,
};

/** The module of a name; undefined if there is none: the atom could not be judged then. */
export function checkModule(name: string): CheckModule | undefined {
  return Object.hasOwn(CHECKS, name) ? CHECKS[name as CheckModuleName] : undefined;
}
