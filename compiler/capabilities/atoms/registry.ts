import type { GateModule } from '../schema/modules.ts';
import type { DecideAtom } from './gate-module.ts';
import { noGitOps } from './policy-no-git-ops.ts';
import { noDepBump } from './safety-no-dep-bump.ts';
import { noMassDelete } from './safety-no-mass-delete.ts';
import { filesDenylist } from './scope-files-denylist.ts';
import { filesWhitelist } from './scope-files-whitelist.ts';
import { noRuleEdits } from './scope-no-rule-edits.ts';
import { cargoOnlyBash } from './tools-cargo-only-bash.ts';
import { readOnly } from './tools-read-only.ts';

/** Every gate module by the name that `capability.toml` gives it. */
const GATES: Readonly<Record<GateModule, DecideAtom>> = {
  'gates::policy_no_git_ops': noGitOps,
  'gates::safety_no_dep_bump': noDepBump,
  'gates::safety_no_mass_delete': noMassDelete,
  'gates::scope_files_denylist': filesDenylist,
  'gates::scope_files_whitelist': filesWhitelist,
  'gates::scope_no_rule_edits': noRuleEdits,
  'gates::tools_cargo_only_bash': cargoOnlyBash,
  'gates::tools_read_only': readOnly,
};

/** The module of a name; undefined if there is none, which denies every call. */
export function gateModule(name: string): DecideAtom | undefined {
  return Object.hasOwn(GATES, name) ? GATES[name as GateModule] : undefined;
}
