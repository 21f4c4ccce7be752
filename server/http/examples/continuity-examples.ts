import type { CAPSULE_REPORT_OPERATIONS, CONTINUITY_OPERATIONS } from '../../operations/continuity/operations.ts';
import type { ExamplesOf } from './example.ts';
import { AGENT, HANDOFF_ID } from './sample.ts';

/** The least that an agent writes. */
export const CAPSULE = {
  subject_kind: 'thread',
  subject_id: 'release-42',
  updated_at: '2026-11-23T12:00:00Z',
  verified_at: '2026-11-23T12:00:00Z',
  source: { producer: 'cto', update_reason: 'pre_compaction' },
  confidence: { continuity: 0.8, relationship_model: 0.5 },
  continuity: {
    top_priorities: ['ship release 42'],
    active_concerns: [],
    active_constraints: ['no schema change before Friday'],
    open_loops: ['who reviews the migration?'],
    stance_summary: 'finish the migration first, then the release notes',
    drift_signals: [],
  },
} as const;

export const SUBJECT = { subject_kind: CAPSULE.subject_kind, subject_id: CAPSULE.subject_id };
const WRITTEN = {
  ok: true,
  path: 'memory/continuity/thread-release-42.json',
  durable: true,
  latest_commit: '6a1f0c5e0d9f4f0f4d3b7a0f2f7f1c8f5b2d9e11',
  recovery_warnings: [],
} as const;

const DIGEST = { capsule_sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' } as const;

const SIGNAL = {
  kind: 'system_check',
  source_ref: 'ci/run/4711',
  observed_at: '2026-11-23T12:05:00Z',
  summary: 'the migration passed in staging',
} as const;

const ROW = {
  ...SUBJECT,
  path: WRITTEN.path,
  updated_at: CAPSULE.updated_at,
  verified_at: CAPSULE.verified_at,
  verification_kind: null,
  freshness_class: null,
  phase: 'fresh',
  verification_status: 'unverified',
  health_status: 'healthy',
  health_reasons: [],
  artifact_state: 'active',
  retention_class: 'active',
  archived_at: null,
  stable_preference_count: 0,
  rationale_entry_count: 0,
  thread_descriptor: null,
  resume_adequate: true,
} as const;

export const TRUST = {
  recency: {
    updated_age_seconds: 60,
    verified_age_seconds: 60,
    phase: 'fresh',
    freshness_class: null,
    stale_threshold_seconds: 2_592_000,
  },
  completeness: {
    orientation_adequate: true,
    empty_orientation_fields: ['active_concerns', 'drift_signals'],
    trimmed: false,
    trimmed_fields: [],
  },
  integrity: {
    source_state: 'active',
    health_status: 'healthy',
    health_reasons: [],
    verification_status: 'unverified',
  },
  scope_match: { exact: true },
} as const;

/** Examples of the operations on capsules. */
export const CONTINUITY_EXAMPLES: ExamplesOf<typeof CONTINUITY_OPERATIONS> = {
  upsertCapsule: {
    body: { ...SUBJECT, capsule: CAPSULE, idempotency_key: 'run-4711-end' },
    answer: {
      ...WRITTEN,
      created: true,
      updated: false,
      ...DIGEST,
      normalizations_applied: [],
    },
  },
  patchCapsule: {
    body: {
      ...SUBJECT,
      updated_at: '2026-11-23T12:05:00Z',
      operations: [{ target: 'continuity.open_loops', action: 'append', value: 'who tells support?' }],
    },
    answer: { ...WRITTEN, ...DIGEST, updated: true, operations_applied: 1, normalizations_applied: [] },
  },
  moveLifecycle: {
    body: { ...SUBJECT, transition: 'suspend', updated_at: '2026-11-23T12:05:00Z' },
    answer: { ...WRITTEN, ...DIGEST, lifecycle: 'suspended', previous_lifecycle: 'active' },
  },
  compareCapsule: {
    body: { ...SUBJECT, candidate_capsule: CAPSULE, signals: [SIGNAL] },
    answer: {
      ok: true,
      path: WRITTEN.path,
      identical: true,
      changed_fields: [],
      strongest_signal: SIGNAL.kind,
      recommended_outcome: 'confirm',
      content_kind: 'agent_authored',
    },
  },
  revalidateCapsule: {
    body: { ...SUBJECT, outcome: 'confirm', signals: [SIGNAL] },
    answer: {
      ...WRITTEN,
      ...DIGEST,
      outcome: 'confirm',
      updated: true,
      verification_state: {
        status: 'system_confirmed',
        last_revalidated_at: SIGNAL.observed_at,
        strongest_signal: SIGNAL.kind,
        evidence_refs: [SIGNAL.source_ref],
      },
      capsule_health: { status: 'healthy', reasons: [], last_checked_at: SIGNAL.observed_at },
      content_kind: 'agent_authored',
    },
  },
  readCapsule: {
    body: { ...SUBJECT, allow_fallback: true },
    answer: {
      ok: true,
      path: WRITTEN.path,
      capsule: CAPSULE,
      archived: false,
      source_state: 'active',
      recovery_warnings: [],
      trust_signals: TRUST,
      content_kind: 'agent_authored',
    },
  },
  listCapsules: {
    body: { subject_kind: 'thread', limit: 20 },
    answer: { ok: true, count: 1, capsules: [ROW], content_kind: 'agent_authored' },
  },
  archiveCapsule: {
    body: { ...SUBJECT, reason: 'the release is out' },
    answer: {
      ...WRITTEN,
      archived: true,
      archive_path: 'memory/continuity/archive/thread-release-42-20261123T120000Z.json',
    },
  },
  deleteCapsule: {
    body: { ...SUBJECT, delete_archive: true, reason: 'no longer needed' },
    answer: {
      ...WRITTEN,
      deleted_paths: ['memory/continuity/archive/thread-release-42-20261123T120000Z.json'],
      missing_paths: [],
    },
  },
};

/** An example of what the page reads. */
export const CAPSULE_REPORT_EXAMPLES: ExamplesOf<typeof CAPSULE_REPORT_OPERATIONS> = {
  getAgentCapsules: {
    query: { subject_kind: 'thread', subject_id: 'release-42', max_tokens_estimate: '512' },
    answer: {
      agent: AGENT,
      content_kind: 'agent_authored',
      is_kept: true,
      capsules: [
        {
          ...SUBJECT,
          label: null,
          lifecycle: null,
          state: 'active',
          phase: 'fresh',
          health: 'healthy',
          updated_at: CAPSULE.updated_at,
          age_seconds: 60,
        },
      ],
      startup: {
        source_state: 'active',
        warnings: [],
        sections: [{ name: 'Top priorities', texts: ['ship release 42'] }],
      },
      brought: {
        budget: 512,
        least: 256,
        most: 100_000,
        tokens: 498,
        capsules: [{ ...SUBJECT, source_state: 'active', tokens: 498, trimmed_fields: ['metadata'] }],
        warnings: [],
      },
    },
  },
  getAgentHandoffs: {
    answer: {
      agent: AGENT,
      content_kind: 'agent_authored',
      is_kept: true,
      handoffs: [
        {
          handoff_id: HANDOFF_ID,
          direction: 'sent',
          peer: 'reviewer',
          ...SUBJECT,
          status: 'accepted_advisory',
          note: 'the migration is yours from here',
          answer: 'taken',
          constraints: ['no schema change before Friday'],
          drift_signals: [],
          updated_at: CAPSULE.updated_at,
        },
      ],
      total: 1,
    },
  },
};
