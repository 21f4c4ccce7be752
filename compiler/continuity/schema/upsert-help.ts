/** The least that an agent writes of a subject for the first time; compiler/continuity/README.md shows it too. */
const SMALLEST_UPSERT = {
  subject_kind: 'thread',
  subject_id: 'store',
  capsule: {
    subject_kind: 'thread',
    subject_id: 'store',
    updated_at: '2026-11-23T12:00:00Z',
    verified_at: '2026-11-23T12:00:00Z',
    source: { producer: 'assistant', update_reason: 'pre_compaction' },
    confidence: { continuity: 0.8, relationship_model: 0.5 },
    continuity: {
      top_priorities: ['ship the store'],
      active_concerns: [],
      active_constraints: ['no schema change before Friday'],
      open_loops: ['who reviews the worker?'],
      stance_summary: 'finish the model before the routes, and keep both small',
      drift_signals: [],
    },
  },
} as const;

/** The cheapest write after it: what it leaves out is kept. */
const CHEAPEST_UPSERT = {
  subject_kind: 'thread',
  subject_id: 'store',
  merge_mode: 'preserve',
  capsule: {
    subject_kind: 'thread',
    subject_id: 'store',
    updated_at: '2026-11-23T13:00:00Z',
    continuity: { open_loops: ['who tells support?'] },
  },
} as const;

/** The text by which a reader of the tool alone stores a capsule at the first try. */
export const UPSERT_HELP =
  `First time, at least: ${JSON.stringify(SMALLEST_UPSERT)} Later, only what changed: ${JSON.stringify(CHEAPEST_UPSERT)} ` +
  'Times are now, in UTC; updated_at is later than the stored one';

/** The same where the server fills in the times. */
export const UNTIMED_HELP = UPSERT_HELP.replaceAll(/"\w+_at":"[^"]*",/g, '').replace(
  /Times are .*/,
  'The server fills in the times',
);
