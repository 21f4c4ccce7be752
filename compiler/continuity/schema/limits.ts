/**
 * The limits of the specification _CogniRelay continuity payloads_, each at one place. A list is named by its dotted
 * path in a capsule.
 */

/** "20 KB serialized-UTF-8 cap on each capsule at write time", of the canonical JSON. */
export const CAPSULE_BYTES = 20 * 1024;

/** Most entries of each list. */
export const ITEMS = {
  top_priorities: 8,
  active_concerns: 5,
  active_constraints: 8,
  open_loops: 8,
  drift_signals: 5,
  working_hypotheses: 5,
  long_horizon_commitments: 5,
  session_trajectory: 5,
  trailing_notes: 3,
  curiosity_queue: 5,
  negative_decisions: 4,
  rationale_entries: 6,
  'rationale_entries.alternatives_considered': 3,
  'rationale_entries.depends_on': 3,
  related_documents: 8,
  'relationship_model.preferred_style': 5,
  'relationship_model.sensitivity_notes': 5,
  'retrieval_hints.must_include': 8,
  'retrieval_hints.avoid': 8,
  'retrieval_hints.load_next': 8,
  'attention_policy.early_load': 8,
  'attention_policy.presence_bias_overrides': 5,
  canonical_sources: 8,
  stable_preferences: 12,
  'source.inputs': 12,
  'verification_state.evidence_refs': 4,
  'capsule_health.reasons': 5,
  'thread_descriptor.keywords': 6,
  'thread_descriptor.scope_anchors': 4,
  'thread_descriptor.identity_anchors': 4,
  signals: 8,
  operations: 10,
} as const;

/** Most characters of each text; of a list, those of one entry. */
export const CHARACTERS = {
  top_priorities: 160,
  active_concerns: 160,
  active_constraints: 160,
  open_loops: 160,
  drift_signals: 160,
  working_hypotheses: 160,
  long_horizon_commitments: 160,
  session_trajectory: 80,
  trailing_notes: 160,
  curiosity_queue: 120,
  stance_summary: 240,
  'negative_decisions.decision': 160,
  'negative_decisions.rationale': 240,
  'rationale_entries.tag': 80,
  'rationale_entries.summary': 320,
  'rationale_entries.reasoning': 560,
  'rationale_entries.alternatives_considered': 160,
  'rationale_entries.depends_on': 120,
  'rationale_entries.supersedes': 80,
  'related_documents.path': 240,
  'related_documents.kind': 32,
  'related_documents.label': 120,
  'related_documents.relevance': 32,
  'verification_state.conflict_summary': 240,
  subject_id: 200,
  'source.producer': 100,
  'source.inputs': 200,
  'relationship_model.preferred_style': 80,
  'relationship_model.sensitivity_notes': 120,
  'retrieval_hints.must_include': 160,
  'retrieval_hints.avoid': 160,
  'attention_policy.presence_bias_overrides': 160,
  'verification_state.evidence_refs': 200,
  'capsule_health.reasons': 120,
  'stable_preferences.tag': 80,
  'stable_preferences.content': 240,
  'thread_descriptor.label': 120,
  'thread_descriptor.superseded_by': 200,
  'identity_anchors.kind': 40,
  'identity_anchors.value': 200,
  /** The filters of a list have these limits; a longer one could never be found. */
  'thread_descriptor.keywords': 40,
  'thread_descriptor.scope_anchors': 200,
  'signals.source_ref': 200,
  'signals.summary': 240,
  commit_message: 240,
  idempotency_key: 200,
  reason: 240,
  'revalidate.reason': 120,
} as const;

/** "reason: 3–240 chars" of archive and delete. */
export const REASON_CHARACTERS_LEAST = 3;

/** `freshness.stale_after_seconds`. */
export const STALE_AFTER_SECONDS = { least: 300, most: 31_536_000 } as const;

/** A stance that is shorter than this does not orient anybody (`resume_quality`, trust signals, salience). */
export const ADEQUATE_STANCE_CHARACTERS = 30;

/** A timestamp may be this far ahead of the server's clock; one of the year 2099 would lock its subject. */
export const CLOCK_AHEAD_SECONDS = 300;

/** Maximum nesting of `metadata` and of the values of a patch: a request of 64 kB could exhaust the stack. */
export const JSON_DEPTH = 8;

/** `limit` of a list. */
export const LIST_ROWS = { most: 200, default: 50 } as const;

/** `max_tokens_estimate`; the default holds a rich thread, a rich task and a rich user together, untrimmed. */
export const TOKENS = { least: 256, most: 100_000, default: 12_000 } as const;

/** "estimates are characters / 4, rounded up" */
export const CHARACTERS_PER_TOKEN = 4;

/** `continuity_selectors`, and `continuity_max_capsules` with its default. */
export const SELECTORS = { most: 4, default: 1 } as const;

/** The other members of a retrieval. */
export const BUNDLE = {
  task_characters: 8000,
  types: 32,
  type_characters: 80,
  time_window_days: { least: 1, most: 3650, default: 30 },
  limit: { least: 1, most: 100, default: 10 },
} as const;
