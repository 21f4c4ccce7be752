/**
 * The severity of every diagnostic, by rule id. An `error` stops the compile after all diagnostics of the run are
 * collected; a `warning` does not.
 */
export const RULES = {
  agent_folder_invalid: 'error',
  agent_id_duplicate: 'error',
  agent_limits_missing: 'warning',
  agent_missing: 'error',
  agent_wrap_up_missing: 'warning',
  approval_invalid: 'warning',
  approval_lapsed: 'warning',
  approvals_unchecked: 'warning',
  approver_on_branch: 'warning',
  atom_artefact_missing: 'error',
  atom_check_unsupported: 'error',
  atom_example_missing: 'warning',
  atom_example_wrong: 'error',
  atom_module_unknown: 'error',
  atom_names_other: 'error',
  atom_parameter_unknown: 'error',
  atom_pattern_invalid: 'error',
  atom_reason_missing: 'warning',
  atom_repeats: 'error',
  atom_rule_late: 'error',
  atom_text_long: 'error',
  boot_candidate: 'warning',
  boot_stub_large: 'warning',
  boot_stub_too_large: 'error',
  bypass_approval_required: 'error',
  capability_name_confusable: 'error',
  capability_name_mismatch: 'error',
  comment_instructs: 'error',
  confidential_exposed: 'error',
  conflict_markers: 'error',
  coverage_failure: 'error',
  coverage_misplaced: 'error',
  coverage_not_evaluated: 'error',
  coverage_other_language: 'warning',
  coverage_own_text: 'error',
  coverage_repetition: 'error',
  coverage_skipped: 'warning',
  description_overlap: 'warning',
  description_says_little: 'warning',
  description_too_long: 'error',
  encoding_invalid: 'error',
  exfiltration_asked: 'error',
  file_stray: 'warning',
  files_pattern_broad: 'error',
  files_pattern_invalid: 'error',
  findability_low: 'warning',
  front_matter_invalid: 'error',
  front_matter_missing: 'error',
  graph_inexact: 'warning',
  graph_not_reproducible: 'error',
  graph_unavailable: 'error',
  guarantee_approval_required: 'error',
  guarantee_cap_exceeded: 'error',
  guaranteed_large: 'warning',
  heartbeat_contract_unknown: 'error',
  homoglyph: 'error',
  key_unknown: 'error',
  language_differs: 'warning',
  lfs_pointer: 'error',
  lineage_cycle: 'error',
  link_broken: 'warning',
  link_loop: 'warning',
  manifest_entry_invalid: 'error',
  manifest_too_large: 'error',
  markdown_too_costly: 'error',
  markup_open: 'warning',
  migration_evidence_missing: 'error',
  migration_stage_skipped: 'error',
  name_duplicate: 'error',
  name_invalid: 'error',
  name_reserved: 'error',
  nesting_too_deep: 'error',
  path_invalid: 'error',
  path_missing: 'error',
  phrase_capture: 'error',
  phrase_repeats: 'warning',
  phrase_unit_unknown: 'error',
  phrases_stale: 'warning',
  position_approval_required: 'error',
  private_file_committed: 'error',
  probe_copied: 'warning',
  probe_coverage_low: 'error',
  probe_fails: 'warning',
  probe_lost: 'error',
  probe_unit_unknown: 'error',
  profile_unknown: 'warning',
  prompt_injection: 'error',
  quarantine_needed: 'error',
  quarantined: 'warning',
  related_unknown: 'error',
  rename_undeclared: 'warning',
  role_approval_required: 'error',
  role_atom_unknown: 'error',
  role_bypass_approval_required: 'error',
  role_bypass_void: 'error',
  role_extends_invalid: 'error',
  role_git_spawnable: 'error',
  role_relaxes_refused: 'error',
  role_tag_forged: 'error',
  role_tool_unknown: 'warning',
  role_whitelist_empty: 'warning',
  secret_exposed: 'error',
  shared_unknown: 'error',
  skill_left_out: 'warning',
  skills_missing: 'warning',
  submodule: 'error',
  symlink: 'error',
  task_parameter_refused: 'error',
  task_role_unknown: 'error',
  task_spawns_unknown: 'error',
  task_type_unknown: 'error',
  task_types_approval_required: 'error',
  task_whitelist_empty: 'warning',
  text_not_normal: 'warning',
  toml_invalid: 'error',
  trigger_overlap: 'warning',
  trigger_repeats_content: 'warning',
  unicode_bidi: 'error',
  unicode_hidden: 'error',
  unit_long: 'warning',
  unit_near_duplicate: 'warning',
  unit_short: 'warning',
  unit_too_large: 'error',
  unit_unreachable: 'warning',
  uri_active: 'error',
  value_invalid: 'error',
  withdrawal_invalid: 'error',
  yaml_invalid: 'error',
} as const satisfies Record<string, 'error' | 'warning'>;

export type RuleId = keyof typeof RULES;

/** Rules of class security (DESIGN §7): a text that breaks one is quarantined, so that it reaches no agent. */
export const SECURITY_RULES: ReadonlySet<RuleId> = new Set<RuleId>([
  'comment_instructs',
  'exfiltration_asked',
  'homoglyph',
  'prompt_injection',
  'role_tag_forged',
  'secret_exposed',
  'unicode_bidi',
  'unicode_hidden',
  'uri_active',
]);

/** A place in a file: 1-based line and column. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One problem in the sources: where it is, what is wrong, how to fix it. */
export interface Diagnostic extends Position {
  readonly rule: RuleId;
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly message: string;
  readonly help: string;
  /** The facts of the message, for programs. */
  readonly details?: Readonly<Record<string, unknown>>;
}

const START: Position = { line: 1, column: 1 };

/** Builds a diagnostic; the severity is the rule's unless the caller lowers it. */
export function diagnostic(
  rule: RuleId,
  file: string,
  message: string,
  help: string,
  at: Position = START,
  severity: Diagnostic['severity'] = RULES[rule],
): Diagnostic {
  return { rule, severity, file, line: at.line, column: at.column, message, help };
}

/** Sorts diagnostics by file, place and rule, so that the output of a run is stable, and drops duplicates. */
export function sortDiagnostics(faults: readonly Diagnostic[]): Diagnostic[] {
  const once = new Map(faults.map((it) => [JSON.stringify(it), it]));
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...once.values()].sort(
    (a, b) =>
      text(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      text(a.rule, b.rule) ||
      text(a.message, b.message),
  );
}

/** `file:line:column severity [rule] message` with the help on a second line. */
export function renderDiagnostic(it: Diagnostic): string {
  const summary = `${it.file}:${it.line}:${it.column} ${it.severity} [${it.rule}] ${it.message}`;
  return `${printable(summary)}\n    ${printable(it.help)}`;
}

/** Makes a text safe for a terminal: control, format and half characters are shown as their code point. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (it) => `<U+${(it.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}

/** Characters that JSON leaves raw, and a terminal obeys or hides. */
const UNSEEN_IN_JSON = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu;

/** JSON that a terminal may show: control and format characters are escaped, which no reader of JSON notices. */
export function escapeUnseen(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(UNSEEN_IN_JSON, (it) => it.split('').map(escaped).join(''));
}

/** Longer texts are cut in a message: they are at its place. */
const MOST_QUOTED = 120;

/** A text of the sources as a message quotes it. */
export function quoted(text: string): string {
  const letters = Array.from(text);
  return letters.length <= MOST_QUOTED ? `“${text}”` : `“${letters.slice(0, MOST_QUOTED - 1).join('')}…”`;
}
