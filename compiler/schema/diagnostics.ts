/**
 * What an author can get wrong, by rule id. An `error` stops the compile after all faults of the run
 * have been gathered; a `warning` is only told.
 */
export const RULES = {
  agent_folder_invalid: 'error',
  agent_id_duplicate: 'error',
  agent_limits_missing: 'warning',
  agent_missing: 'error',
  agent_wrap_up_missing: 'warning',
  approval_invalid: 'warning',
  approval_lapsed: 'warning',
  approver_on_branch: 'warning',
  boot_candidate: 'warning',
  boot_stub_large: 'warning',
  boot_stub_too_large: 'error',
  bypass_approval_required: 'error',
  comment_instructs: 'error',
  confidential_exposed: 'error',
  coverage_failure: 'error',
  coverage_skipped: 'warning',
  description_too_long: 'error',
  encoding_invalid: 'error',
  exfiltration_asked: 'error',
  file_stray: 'warning',
  front_matter_invalid: 'error',
  front_matter_missing: 'error',
  graph_unavailable: 'warning',
  guarantee_approval_required: 'error',
  guarantee_cap_exceeded: 'error',
  guaranteed_large: 'warning',
  heartbeat_contract_unknown: 'error',
  homoglyph: 'error',
  key_unknown: 'error',
  lfs_pointer: 'error',
  lineage_cycle: 'error',
  link_broken: 'warning',
  link_loop: 'warning',
  manifest_entry_invalid: 'error',
  manifest_too_large: 'error',
  manifest_trimmed: 'warning',
  markdown_too_costly: 'error',
  migration_evidence_missing: 'error',
  migration_stage_skipped: 'error',
  name_duplicate: 'error',
  name_invalid: 'error',
  name_reserved: 'error',
  nesting_too_deep: 'error',
  path_invalid: 'error',
  path_missing: 'error',
  position_approval_required: 'error',
  probe_coverage_low: 'error',
  probe_lost: 'error',
  probe_unit_unknown: 'error',
  profile_unknown: 'warning',
  prompt_injection: 'error',
  quarantine_needed: 'error',
  quarantined: 'warning',
  related_unknown: 'error',
  role_tag_forged: 'error',
  secret_exposed: 'error',
  shared_unknown: 'error',
  submodule: 'error',
  symlink: 'error',
  task_type_unknown: 'error',
  task_types_approval_required: 'error',
  text_not_normal: 'warning',
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

/** Lint of class security (DESIGN §7): a text with such a fault is held back wherever it would reach an agent. */
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

/** What only lint looks for, besides the security of texts: how well a garden will be recalled. */
export const CRAFT_RULES: ReadonlySet<RuleId> = new Set<RuleId>([
  'agent_limits_missing',
  'agent_wrap_up_missing',
  'boot_candidate',
  'guaranteed_large',
  'link_loop',
  'text_not_normal',
  'trigger_overlap',
  'trigger_repeats_content',
  'unit_long',
  'unit_near_duplicate',
  'unit_short',
  'unit_unreachable',
]);

/** Where in a file: 1-based line and column. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One thing an author has to look at: where it is, what is wrong, what to do. */
export interface Diagnostic extends Position {
  readonly rule: RuleId;
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly message: string;
  readonly help: string;
  /** What the message is made from, for programs. */
  readonly details?: Readonly<Record<string, unknown>>;
}

const START: Position = { line: 1, column: 1 };

/** Builds a fault; the severity is the rule's unless the caller lowers it. */
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

/** Orders faults by file, place and rule, so that a run always reads the same; each is told once. */
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

/** `file:line:column severity [rule] message` with the way out on a second line. */
export function renderDiagnostic(it: Diagnostic): string {
  const told = `${it.file}:${it.line}:${it.column} ${it.severity} [${it.rule}] ${it.message}`;
  return `${printable(told)}\n    ${printable(it.help)}`;
}

/** A text that cannot steer a terminal or hide in one: control, format and half characters by their code point. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (it) => `<U+${(it.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}
