import { z } from 'zod';
import { NegativeDecision, RationaleEntry, RelatedDocument } from './entries.ts';
import { CHARACTERS, ITEMS } from './limits.ts';
import { RelativePath, text, texts } from './text.ts';

/** A list of texts of a state, by its name: its limits are in the tables. */
const listed = (name: keyof typeof ITEMS & keyof typeof CHARACTERS, least = 0) =>
  texts(ITEMS[name], CHARACTERS[name], least);

const RelationshipModel = z.strictObject({
  trust_level: z.enum(['low', 'guarded', 'normal', 'high']).optional(),
  preferred_style: listed('relationship_model.preferred_style').default([]),
  sensitivity_notes: listed('relationship_model.sensitivity_notes').default([]),
});

const RetrievalHints = z.strictObject({
  must_include: listed('retrieval_hints.must_include').default([]),
  avoid: listed('retrieval_hints.avoid').default([]),
  load_next: z.array(RelativePath).max(ITEMS['retrieval_hints.load_next']).default([]),
});

/** The orientation that an agent writes before its context is lost. */
export const ContinuityState = z.strictObject({
  top_priorities: listed('top_priorities'),
  active_concerns: listed('active_concerns'),
  active_constraints: listed('active_constraints'),
  open_loops: listed('open_loops'),
  stance_summary: text(CHARACTERS.stance_summary),
  drift_signals: listed('drift_signals'),
  working_hypotheses: listed('working_hypotheses').default([]),
  long_horizon_commitments: listed('long_horizon_commitments').default([]),
  session_trajectory: listed('session_trajectory').default([]),
  negative_decisions: z.array(NegativeDecision).max(ITEMS.negative_decisions).default([]),
  trailing_notes: listed('trailing_notes', 1).default([]),
  curiosity_queue: listed('curiosity_queue', 1).default([]),
  rationale_entries: z.array(RationaleEntry).max(ITEMS.rationale_entries).default([]),
  related_documents: z.array(RelatedDocument).max(ITEMS.related_documents).optional(),
  relationship_model: RelationshipModel.optional(),
  retrieval_hints: RetrievalHints.optional(),
});

/** The lists that every capsule has; in preserve mode an empty one means: keep what is stored. */
export const REQUIRED_LISTS = [
  'top_priorities',
  'active_concerns',
  'active_constraints',
  'open_loops',
  'drift_signals',
] as const satisfies readonly (keyof ContinuityState)[];

/** All lists of plain texts of a state. */
export const TEXT_LISTS = [
  ...REQUIRED_LISTS,
  'working_hypotheses',
  'long_horizon_commitments',
  'session_trajectory',
  'trailing_notes',
  'curiosity_queue',
] as const satisfies readonly (keyof ContinuityState)[];

export type ContinuityState = z.infer<typeof ContinuityState>;
