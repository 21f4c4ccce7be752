/**
 * The table of all error codes: `status` is the HTTP status, `exit` the exit code of the command line
 * (DESIGN §6.11, §6.12); a code without `status` is never sent over HTTP.
 */
interface Entry {
  readonly status?: number;
  readonly exit: number;
  readonly retryable: boolean;
}

const http = (status: number, exit: number, retryable = false): Entry => ({
  status,
  exit,
  retryable,
});
const command = (exit: number, retryable = false): Entry => ({ exit, retryable });

export const ERRORS = {
  // §21.9
  intent_required: http(400, 3),
  manifest_too_large: http(400, 4),
  manifest_entry_invalid: http(400, 4),
  manifest_coverage_failure: http(400, 4),
  task_type_unknown: http(400, 4),
  guarantee_cap_exceeded: http(400, 4),
  task_types_approval_required: http(400, 4),
  audit_token_invalid: http(400, 3),
  audit_token_expired: http(400, 3),
  instruction_scope_denied: http(403, 7),
  manifest_not_found: http(404, 5),
  boot_stub_not_found: http(404, 5),
  manifest_version_conflict: http(409, 6),
  recall_backend_unavailable: http(503, 12, true),
  // DESIGN §6.12
  request_invalid: http(400, 3),
  unauthenticated: http(401, 8),
  guarantee_approval_required: http(400, 4),
  position_approval_required: http(400, 4),
  bypass_approval_required: http(400, 4),
  wake_reason_unverified: http(403, 7),
  origin_refused: http(403, 7),
  agent_not_found: http(404, 5),
  fact_not_found: http(404, 5),
  coverage_not_found: http(404, 5),
  route_not_found: http(404, 5),
  method_not_allowed: http(405, 3),
  publish_disabled: http(405, 4),
  payload_too_large: http(413, 3),
  // continuity
  capsule_invalid: http(400, 4),
  capsule_stale: http(409, 6),
  capsule_conflict: http(409, 6),
  capsule_damaged: http(409, 6),
  capsule_not_found: http(404, 5),
  schedule_invalid: http(400, 4),
  schedule_not_found: http(404, 5),
  schedule_conflict: http(409, 6),
  continuity_disabled: http(404, 5),
  idempotency_conflict: http(409, 6),
  secret_refused: http(400, 3),
  continuity_unavailable: http(503, 12, true),
  // only an operator can repair it
  continuity_unusable: http(503, 4),
  coordination_invalid: http(400, 4),
  coordination_not_found: http(404, 5),
  coordination_conflict: http(409, 6),
  rate_limited: http(429, 12, true),
  // only another bundle brings it back
  guaranteed_unit_unavailable: http(503, 12),
  internal: http(500, 1),
  // the command line alone
  argument_invalid: command(3),
  confirmation_required: command(3),
  command_redirected: command(13),
  sources_invalid: http(400, 4),
  source_not_found: command(5),
  ref_not_found: command(5),
  repository_refused: command(4),
  repository_unreadable: command(4),
  git_unavailable: command(4),
  history_incomplete: command(4),
  fact_mutated: command(4),
  compiler_mismatch: command(4),
  trust_required: command(4),
  signing_key_required: command(4),
  approval_required: command(4),
  answer_invalid: command(4),
  brief_stale: command(6),
  brief_unknown: command(5),
  probe_regression: command(4),
  replay_regression: command(4),
  replay_differs: command(7),
  export_drifted: command(4),
  evidence_insufficient: command(4),
  stage_not_reached: command(4),
  miss_rate_alert: command(4),
  model_unavailable: command(4),
  sqlite_unavailable: command(4),
  bundle_not_found: command(5),
  bundle_unverified: command(7),
  audit_not_found: command(5),
  audit_unverified: http(503, 7),
  capsules_unverified: command(7),
  file_locked: command(6, true),
  already_exists: command(6),
  key_not_found: command(5),
  administrator_not_found: command(5),
  address_in_use: command(6),
  output_failed: command(1),
  hooks_unsound: command(1),
  bundle_not_written: command(2),
  call_denied: command(2),
  task_invalid: command(4),
  task_not_composed: command(4),
  role_not_spawnable: command(4),
  ledger_unreadable: command(4),
  work_unmerged: command(6),
  work_violates: command(2),
  work_unjudged: command(1),
  credentials_refused: command(8),
  timed_out: command(10),
  audit_unavailable: command(12, true),
  bundle_unavailable: command(12, true),
  interrupted: command(130),
  terminated: command(143),
} as const satisfies Record<string, Entry>;

/** Conditions that are reported, counted and logged but never stop an answer. */
export const WARNINGS = [
  'audit_write_failed',
  'preload_unit_unavailable',
  'guaranteed_unit_unavailable',
  'preload_budget_warning',
  'low_confidence',
  'files_not_compared',
  'unversioned',
] as const;

export type ErrorCode = keyof typeof ERRORS;

/** The message of an internal error to a caller of a server, who must not see its details. */
export const UNEXPECTED = 'unexpected error; the log of the server has the reason';

/** A failure with a code of the table; `message` is for people, `details` for programs. */
export class VadeError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'VadeError';
    this.code = code;
    this.details = details;
  }

  get entry(): Entry {
    return ERRORS[this.code];
  }
}

/** The message of any thrown value; an error of another thread or realm is no `Error` of this one. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  return 'message' in thrown ? String(thrown.message) : 'an error without a message';
}
