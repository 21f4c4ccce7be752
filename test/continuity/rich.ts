import { ago, capsuleOf, type Json } from './capsules.ts';

const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** A text of so many characters, that begins with its name. */
const text = (name: string, characters: number): string =>
  `${name} `.padEnd(characters, 'and what it means ').slice(0, characters).trim();

const list = (name: string, count: number, characters: number) =>
  many(count, (at) => text(`${name} ${at}`, characters));

/** A state with something in every field, as long as practical capsules are. */
const RICH_STATE = {
  top_priorities: list('priority', 8, 75),
  active_concerns: list('concern', 5, 75),
  active_constraints: list('constraint', 8, 75),
  open_loops: list('loop', 8, 75),
  stance_summary: text('stance', 200),
  drift_signals: list('drift', 5, 100),
  working_hypotheses: list('hypothesis', 5, 75),
  long_horizon_commitments: list('commitment', 5, 75),
  session_trajectory: list('turn', 5, 70),
  negative_decisions: many(4, (at) => ({ decision: text(`no ${at}`, 100), rationale: text('because', 110) })),
  trailing_notes: list('note', 3, 75),
  curiosity_queue: list('question', 5, 90),
  rationale_entries: many(4, (at) => ({
    tag: `tag-${at}`,
    kind: 'decision',
    status: 'active',
    summary: text('summary', 120),
    reasoning: text('reasoning', 200),
    alternatives_considered: list('alternative', 2, 70),
    depends_on: list('ground', 2, 80),
  })),
  related_documents: many(4, (at) => ({ path: `docs/${at}.md`, kind: 'design', label: text('document', 60) })),
  relationship_model: {
    trust_level: 'high',
    preferred_style: list('style', 3, 60),
    sensitivity_notes: list('sensitive', 2, 90),
  },
  retrieval_hints: {
    must_include: list('include', 4, 75),
    avoid: list('avoid', 3, 75),
    load_next: many(4, (at) => `docs/next/${at}.md`),
  },
};

/** A capsule of about 10 KB, "realistic content in every field". */
export function richOf(kind: 'user' | 'thread' | 'task', id: string, more: Json = {}) {
  const isUser = kind === 'user';
  return capsuleOf(
    {
      subject_kind: kind,
      subject_id: id,
      canonical_sources: many(4, (at) => `docs/source/${at}.md`),
      metadata: { ticket: 'INGEST-42', attempts: 3 },
      freshness: { freshness_class: 'situational' },
      attention_policy: { early_load: ['docs/first.md'], presence_bias_overrides: list('bias', 3, 100) },
      source: { producer: 'assistant', update_reason: 'pre_compaction', inputs: list('input', 5, 100) },
      verification_state: {
        status: 'user_confirmed',
        last_revalidated_at: ago(300),
        strongest_signal: 'user_confirmation',
        evidence_refs: list('evidence', 3, 80),
      },
      capsule_health: { status: 'healthy', last_checked_at: ago(300) },
      ...(isUser
        ? { stable_preferences: many(10, (at) => ({ tag: `pref-${at}`, content: text('preference', 120) })) }
        : { thread_descriptor: { label: text('thread', 60), keywords: ['git', 'store'], scope_anchors: ['repo-a'] } }),
      ...more,
    },
    RICH_STATE,
  );
}
