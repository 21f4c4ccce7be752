/** Every module that may be the gate of an atom; the registry of gates has exactly these. */
export const GATE_MODULES = [
  'gates::policy_no_git_ops',
  'gates::safety_no_dep_bump',
  'gates::safety_no_mass_delete',
  'gates::scope_files_denylist',
  'gates::scope_files_whitelist',
  'gates::scope_no_rule_edits',
  'gates::tools_cargo_only_bash',
  'gates::tools_read_only',
] as const;

/** Every module that may be the check of an atom; `vade task verify` runs them. */
export const CHECK_MODULES = [
  'verifies::output_ledger_row_required',
  'verifies::output_report_format',
  'verifies::output_severity_grade',
  'verifies::policy_no_git_ops',
  'verifies::quality_cargo_check_green',
  'verifies::quality_constructor_pattern',
  'verifies::quality_no_warnings',
  'verifies::quality_tests_green',
  'verifies::safety_no_dep_bump',
  'verifies::safety_no_mass_delete',
  'verifies::scope_files_denylist',
  'verifies::scope_files_whitelist',
  'verifies::scope_no_rule_edits',
] as const;

export type GateModule = (typeof GATE_MODULES)[number];
export type CheckModuleName = (typeof CHECK_MODULES)[number];
