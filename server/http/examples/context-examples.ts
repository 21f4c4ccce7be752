import type { CONTEXT_OPERATIONS } from '../../operations/continuity/context-operations.ts';
import { CAPSULE, SUBJECT, TRUST } from './continuity-examples.ts';
import type { ExamplesOf } from './example.ts';
import { SCHEDULED } from './schedule-examples.ts';

const cut = (limit: number, available = 0) => ({ limit, available, returned: available, truncated: false });

const KEY = {
  lifecycle_rank: 4,
  health_rank: 0,
  freshness_rank: 0,
  resume_adequate: true,
  verification_rank: 0,
  updated_age_seconds: 60,
} as const;

/** An example of a retrieval: one capsule, one task of its thread, and one item that is due soon. */
export const CONTEXT_EXAMPLES: ExamplesOf<typeof CONTEXT_OPERATIONS> = {
  retrieveContext: {
    body: { task: 'ship release 42', ...SUBJECT, max_tokens_estimate: 4000 },
    answer: {
      ok: true,
      bundle: {
        task: 'ship release 42',
        generated_at: '2026-11-23T12:01:00Z',
        core_memory: [],
        recent_relevant: [],
        open_questions: [],
        token_budget_hint: 4000,
        time_window_days: 30,
        notes: [],
        continuity_state: {
          present: true,
          capsules: [
            { source_state: 'active', trust_signals: TRUST, salience: { rank: 0, sort_key: KEY }, ...CAPSULE },
          ],
          trust_signals: {
            recency: { worst_phase: 'fresh', oldest_updated_age_seconds: 60, oldest_verified_age_seconds: 60 },
            completeness: { all_adequate: true, adequate_count: 1, total_count: 1, any_trimmed: false },
            integrity: { worst_health: 'healthy', any_fallback: false, any_degraded: false, any_conflicted: false },
            scope_match: { selectors_requested: 1, selectors_returned: 1, selectors_omitted: 0, all_returned: true },
          },
          warnings: [],
          fallback_used: false,
          recovery_warnings: [],
          trimmed: [],
        },
        graph_context: {
          anchor: { id: 'thread:release-42', kind: 'thread', subject_id: 'release-42' },
          nodes: [{ id: 'task:notes', kind: 'task', subject_id: 'notes' }],
          edges: [{ relationship: 'linked_to_thread', source_id: 'task:notes', target_id: 'thread:release-42' }],
          related_documents: [],
          blockers: [],
          truncation: { nodes: cut(24, 1), edges: cut(32, 1), related_documents: cut(8), blockers: cut(8) },
          warnings: [],
        },
        schedule_context: {
          due: { items: [], count: 0, truncated: false },
          upcoming: { window_hours: 72, items: [SCHEDULED], count: 1, truncated: false },
          warnings: [],
        },
      },
      salience_metadata: {
        sort_applied: true,
        capsule_count: 1,
        best_lifecycle_rank: 4,
        worst_health_rank: 0,
        worst_freshness_rank: 0,
        all_resume_adequate: true,
      },
      content_kind: 'agent_authored',
    },
  },
};
