import type { GateModule } from './gate-module.ts';
import { noGitOps } from './policy-no-git-ops.ts';
import { noDepBump } from './safety-no-dep-bump.ts';
import { noMassDelete } from './safety-no-mass-delete.ts';
import { filesDenylist, filesWhitelist } from './scope-lists.ts';
import { noRuleEdits } from './scope-no-rule-edits.ts';
import { cargoOnlyBash } from './shell-allow-list.ts';
import { readOnly } from './tools-read-only.ts';

/** Every gate module by the name that `capability.toml` gives it. A table that names another one denies every call. */
export const GATES: ReadonlyMap<string, GateModule> = new Map([
  ['gates::policy_no_git_ops', noGitOps],
  ['gates::scope_files_whitelist', filesWhitelist],
  ['gates::scope_files_denylist', filesDenylist],
  ['gates::scope_no_rule_edits', noRuleEdits],
  ['gates::safety_no_dep_bump', noDepBump],
  ['gates::safety_no_mass_delete', noMassDelete],
  ['gates::tools_read_only', readOnly],
  ['gates::tools_cargo_only_bash', cargoOnlyBash],
]);
